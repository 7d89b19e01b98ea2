// One side of an order book: levels sorted by price, each a queue in order of time, kept in typed arrays so that no order is an object.
// `plan` walks the levels that an order takes from.
import { type Level, type Side, signOf } from '../../../bot/domain/book.ts';
import { type Lots, lots, type Ticks, ticks } from '../../../bot/domain/numbers.ts';
import type { Fills } from './fills.ts';

/** Identifies a resting order of a book until it is filled or removed; the handle is then reused. Even for bids, odd for asks. */
export type Handle = number;

export const sideOfHandle = (handle: Handle): Side => ((handle & 1) === 0 ? 'bid' : 'ask');

const NONE = -1;

export class Ladder {
  readonly #sign: 1 | -1;
  /** The lowest bit of every handle; the others are the slot. */
  readonly #bit: 0 | 1;
  #slots = 1024;
  #usedSlots = 0;
  /** The first of a list of released slots, linked through `#next`. */
  #freeSlot = NONE;
  // By slot: the fields of an order.
  #sizes = new Float64Array(this.#slots);
  #levels = new Int32Array(this.#slots);
  #next = new Int32Array(this.#slots);
  #previous = new Int32Array(this.#slots);
  // By level number: the fields of a level. The key is the price with the sign that makes the best the greatest, on either side.
  #keys = new Float64Array(this.#slots);
  #heads = new Int32Array(this.#slots).fill(NONE);
  #tails = new Int32Array(this.#slots).fill(NONE);
  /** Level numbers: the first `#depth` are in use, worst to best; the others are free. */
  #ranked = numbered(this.#slots);
  #depth = 0;

  constructor(side: Side) {
    this.#sign = signOf(side);
    this.#bit = side === 'bid' ? 0 : 1;
  }

  get best(): Ticks | undefined {
    return this.#depth === 0 ? undefined : this.#priceAt(this.#depth - 1);
  }

  /** Adds an order at the end of its level's queue. */
  add(price: Ticks, size: Lots): Handle {
    const level = this.#levelAt(price * this.#sign);
    const slot = this.#takeSlot();
    const tail = this.#tails[level]!;
    this.#sizes[slot] = size;
    this.#levels[slot] = level;
    this.#previous[slot] = tail;
    this.#next[slot] = NONE;
    this.#tails[level] = slot;
    if (tail === NONE) this.#heads[level] = slot;
    else this.#next[tail] = slot;
    return (slot << 1) | this.#bit;
  }

  /** Reduces an order; removes it if its size becomes 0. */
  take(handle: Handle, size: Lots): void {
    const slot = handle >> 1;
    const left = this.#sizes[slot]! - size;
    if (left > 0) this.#sizes[slot] = left;
    else this.remove(handle);
  }

  remove(handle: Handle): void {
    const slot = handle >> 1;
    const level = this.#levels[slot]!;
    const before = this.#previous[slot]!;
    const after = this.#next[slot]!;
    if (before === NONE) this.#heads[level] = after;
    else this.#next[before] = after;
    if (after === NONE) this.#tails[level] = before;
    else this.#previous[after] = before;
    if (this.#heads[level] === NONE) this.#dropRank(this.#rankOf(this.#keys[level]!));
    this.#next[slot] = this.#freeSlot;
    this.#freeSlot = slot;
  }

  /** Writes the fills of an order of `size` at `limit` or better into `fills`, in order of priority. Changes no order. */
  plan(fills: Fills, size: Lots, limit: Ticks | undefined): void {
    const worstKey = limit === undefined ? Number.NEGATIVE_INFINITY : limit * this.#sign;
    let left: number = size;
    for (let rank = this.#depth - 1; rank >= 0 && left > 0; rank--) {
      const level = this.#ranked[rank]!;
      const key = this.#keys[level]!;
      if (key < worstKey) return;
      for (let slot = this.#heads[level]!; slot !== NONE && left > 0; slot = this.#next[slot]!) {
        const taken = Math.min(left, this.#sizes[slot]!) as Lots;
        fills.add((slot << 1) | this.#bit, (key * this.#sign) as Ticks, taken);
        left -= taken;
      }
    }
  }

  /** Total sizes per level, best first. */
  levels(): Level[] {
    const levels: Level[] = [];
    for (let rank = this.#depth - 1; rank >= 0; rank--) {
      let size = 0;
      for (let slot = this.#heads[this.#ranked[rank]!]!; slot !== NONE; slot = this.#next[slot]!) size += this.#sizes[slot]!;
      levels.push({ price: this.#priceAt(rank), size: lots(size) });
    }
    return levels;
  }

  #priceAt(rank: number): Ticks {
    return ticks(this.#keys[this.#ranked[rank]!]! * this.#sign);
  }

  /** Returns the number of the level with this key; creates the level if it is missing. */
  #levelAt(key: number): number {
    const rank = this.#rankOf(key);
    const found = this.#ranked[rank]!;
    if (rank < this.#depth && this.#keys[found] === key) return found;
    if (this.#depth === this.#slots) this.#grow();
    const opened = this.#ranked[this.#depth]!;
    for (let above = this.#depth; above > rank; above--) this.#ranked[above] = this.#ranked[above - 1]!;
    this.#ranked[rank] = opened;
    this.#keys[opened] = key;
    this.#depth++;
    return opened;
  }

  #dropRank(rank: number): void {
    const dropped = this.#ranked[rank]!;
    this.#depth--;
    for (let below = rank; below < this.#depth; below++) this.#ranked[below] = this.#ranked[below + 1]!;
    this.#ranked[this.#depth] = dropped;
  }

  /** Returns the first rank whose key is not below the given one. */
  #rankOf(key: number): number {
    let low = 0;
    let high = this.#depth;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys[this.#ranked[middle]!]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #takeSlot(): number {
    if (this.#freeSlot === NONE) {
      if (this.#usedSlots === this.#slots) this.#grow();
      return this.#usedSlots++;
    }
    const slot = this.#freeSlot;
    this.#freeSlot = this.#next[slot]!;
    return slot;
  }

  #grow(): void {
    const grown = this.#slots * 2;
    this.#sizes = enlarged(this.#sizes, new Float64Array(grown));
    this.#keys = enlarged(this.#keys, new Float64Array(grown));
    this.#levels = enlarged(this.#levels, new Int32Array(grown));
    this.#next = enlarged(this.#next, new Int32Array(grown));
    this.#previous = enlarged(this.#previous, new Int32Array(grown));
    this.#heads = enlarged(this.#heads, new Int32Array(grown).fill(NONE));
    this.#tails = enlarged(this.#tails, new Int32Array(grown).fill(NONE));
    this.#ranked = enlarged(this.#ranked, numbered(grown));
    this.#slots = grown;
  }
}

/** 0, 1, 2, … */
function numbered(length: number): Int32Array {
  const numbers = new Int32Array(length);
  for (let number = 0; number < length; number++) numbers[number] = number;
  return numbers;
}

function enlarged<Column extends Float64Array | Int32Array>(old: Column, grown: Column): Column {
  grown.set(old);
  return grown;
}
