// What a recording says rests on one side of a book: totals in a window of ticks around the best price, and a map of those far behind it.
import { assert } from '../../base/assert.ts';
import type { Level } from '../../domain/book.ts';
import { type Lots, lots, type Ticks, ticks } from '../../domain/numbers.ts';
import { type Side, signOf } from '../../domain/side.ts';

/** Names who watches a price; 0: nobody. */
export type Watch = number;

const NONE = -1;
const MOST_WATCHES = 1 << 16;
/** Ticks of a window at first. */
const FIRST_WINDOW = 1 << 12;
/** So many levels behind the window, and it is widened. */
const MANY_FAR = 64;

/**
 * Inside, a price is its key: with the sign that makes the best the greatest, on either side. The window holds the keys from `#origin` on, one a
 * slot; every key in the map is lower. The best is always in the window, which moves when it would leave, and widens when much rests behind it.
 */
export class Depth {
  readonly #sign: 1 | -1;
  readonly #widest: number;
  #width: number;
  #totals: Float64Array;
  #watches: Uint16Array;
  readonly #watched = new Map<number, Watch>();
  /** By watch: it is told of what is less. */
  #alarms = new Float64Array(64);
  readonly #far = new Map<number, number>();
  #origin = 0;
  /** Slots: nothing rests above the best, nor below the lowest. */
  #best = NONE;
  #lowest: number;
  #before = 0;
  /** A key: from there on up the best would trade with an order of the other side. */
  #limit = Number.POSITIVE_INFINITY;
  #meets = false;
  /** So many levels, and room for the next ones: lists are written over, for to let them grow takes longer than to fill them. */
  #known = 0;
  #shown: Level[] = [];
  #unused: Level[] = [];

  /** `window`: its ticks at most, and at least 8. */
  constructor(side: Side, window: number) {
    this.#sign = signOf(side);
    this.#widest = window;
    this.#width = Math.min(window, FIRST_WINDOW);
    this.#lowest = this.#width;
    this.#totals = new Float64Array(this.#width);
    this.#watches = new Uint16Array(this.#width);
  }

  get best(): Ticks | undefined {
    return this.#best === NONE ? undefined : this.#priceAt(this.#best);
  }

  total(price: Ticks): Lots {
    const slot = price * this.#sign - this.#origin;
    return (slot >= 0 && slot < this.#width ? this.#totals[slot]! : (this.#far.get(slot + this.#origin) ?? 0)) as Lots;
  }

  /** What rested where `put` gave a watch last, before it did. */
  get before(): number {
    return this.#before;
  }

  /** Says what rests at a price from now on. Gives the price's watch where that is less than before and less than the alarm. */
  put(price: number, size: number): Watch {
    const slot = price * this.#sign - this.#origin;
    if (slot < 0 || slot >= this.#width) return this.#putOutside(slot + this.#origin, size);
    const watch = this.#watches[slot]!;
    const told = watch === 0 ? 0 : this.#heard(watch, this.#totals[slot]!, size);
    this.#totals[slot] = size;
    if (size > 0) {
      if (slot > this.#best) this.#rise(slot);
      if (slot < this.#lowest) this.#lowest = slot;
    } else if (slot === this.#best) this.#sink();
    return told;
  }

  /** The watch that is to be told. */
  #heard(watch: Watch, before: number, size: number): Watch {
    if (size >= before || size >= this.#alarms[watch]!) return 0;
    this.#before = before;
    return watch;
  }

  /** An order of the other side waits at this price, and none at a better one; undefined: none does. */
  expect(price: Ticks | undefined): void {
    this.#limit = price === undefined ? Number.POSITIVE_INFINITY : price * this.#sign;
    this.#meets = this.#best !== NONE && this.#origin + this.#best >= this.#limit;
  }

  /** True when that order would trade here. */
  get meets(): boolean {
    return this.#meets;
  }

  /** From now on `put` gives this watch for the price. */
  watch(price: Ticks, watch: Watch): void {
    assert(watch < MOST_WATCHES, `more than ${MOST_WATCHES - 1} prices are watched`);
    const key = price * this.#sign;
    if (watch === 0) this.#watched.delete(key);
    else this.#watched.set(key, watch);
    if (this.#holds(key)) this.#watches[key - this.#origin] = watch;
  }

  /** From now on `put` gives the watch for less than this. */
  setAlarm(watch: Watch, below: number): void {
    if (watch >= this.#alarms.length) this.#alarms = twice(this.#alarms);
    this.#alarms[watch] = below;
  }

  /** Nothing rests; what is watched stays so. */
  clear(): void {
    if (this.#best !== NONE) this.#totals.fill(0, this.#lowest, this.#best + 1);
    this.#best = NONE;
    this.#meets = false;
    this.#lowest = this.#width;
    this.#far.clear();
  }

  /** Puts what rests into `shown`, best first, at most so many levels, and gives how many. Those that are as they were are the same objects. */
  show(count: number): number {
    const [before, levels] = [this.#shown, this.#unused];
    const [totals, origin, sign, lowest, known] = [this.#totals, this.#origin, this.#sign, this.#lowest, this.#known];
    let [found, at] = [0, 0];
    for (let slot = this.#best; slot >= lowest && found < count; slot--) {
      const size = totals[slot]!;
      if (size === 0) continue;
      const price = (origin + slot) * sign;
      while (at < known && before[at]!.price * sign > origin + slot) at++;
      const same = at < known && before[at]!.price === price && before[at]!.size === size;
      levels[found++] = same ? before[at]! : { price: price as Ticks, size: size as Lots };
    }
    if (this.#far.size > 0 && found < count) {
      for (const [key, size] of this.#behind().slice(0, count - found)) levels[found++] = { price: ticks(key * sign), size: lots(size) };
    }
    [this.#shown, this.#unused, this.#known] = [levels, before, found];
    return found;
  }

  /** What is behind those that were counted has no meaning. */
  get shown(): readonly Level[] {
    return this.#shown;
  }

  /** Visits what rests, best first, while it is told to go on. */
  walk(visit: (price: Ticks, size: Lots) => boolean): void {
    for (let slot = this.#best; slot >= this.#lowest; slot--) {
      if (this.#totals[slot]! > 0 && !visit(this.#priceAt(slot), lots(this.#totals[slot]!))) return;
    }
    if (this.#far.size === 0) return;
    for (const [key, size] of this.#behind()) if (!visit(ticks(key * this.#sign), lots(size))) return;
  }

  /** Behind the window, best first. */
  #behind(): [key: number, size: number][] {
    return [...this.#far].toSorted(([a], [b]) => b - a);
  }

  #putOutside(key: number, size: number): Watch {
    const watch = this.#watched.get(key) ?? 0;
    this.#before = this.#far.get(key) ?? 0;
    if (key < this.#origin && this.#best !== NONE) {
      if (size > 0) this.#far.set(key, size);
      else this.#far.delete(key);
      if (this.#far.size > MANY_FAR && this.#width < this.#widest)
        this.#open(this.#origin + this.#best, Math.min(this.#widest, this.#width * 8));
    } else if (size > 0) {
      this.#open(key, this.#width);
      this.#rest(key, size);
    }
    return size < this.#before && size < this.#alarms[watch]! ? watch : 0;
  }

  /** The best is gone: the next one is. */
  #sink(): void {
    let slot = this.#best - 1;
    while (slot >= this.#lowest && this.#totals[slot] === 0) slot--;
    this.#best = slot < this.#lowest ? NONE : slot;
    this.#meets &&= this.#best !== NONE && this.#origin + slot >= this.#limit;
    if (this.#best === NONE) this.#lowest = this.#width;
    if (this.#best < this.#width >> 3 && this.#far.size > 0) {
      this.#open(this.#best === NONE ? greatest(this.#far.keys()) : this.#origin + this.#best, this.#width);
    }
  }

  /** Opens a window of so many ticks, with a quarter of them above this key. */
  #open(key: number, width: number): void {
    for (let slot = this.#best; slot >= this.#lowest; slot--) {
      if (this.#totals[slot]! > 0) this.#far.set(this.#origin + slot, this.#totals[slot]!);
    }
    this.#width = width;
    this.#totals = new Float64Array(width);
    this.#watches = new Uint16Array(width);
    this.#best = NONE;
    this.#meets = false;
    this.#lowest = width;
    this.#origin = key - ((width * 3) >> 2);
    for (const [watched, watch] of this.#watched) if (this.#holds(watched)) this.#watches[watched - this.#origin] = watch;
    for (const [far, size] of this.#far) {
      if (!this.#holds(far)) continue;
      this.#far.delete(far);
      this.#rest(far, size);
    }
  }

  #rise(slot: number): void {
    this.#best = slot;
    this.#meets ||= this.#origin + slot >= this.#limit;
  }

  #rest(key: number, size: number): void {
    const slot = key - this.#origin;
    this.#totals[slot] = size;
    if (slot > this.#best) this.#rise(slot);
    this.#lowest = Math.min(this.#lowest, slot);
  }

  #holds(key: number): boolean {
    return key >= this.#origin && key < this.#origin + this.#width;
  }

  #priceAt(slot: number): Ticks {
    return ticks((this.#origin + slot) * this.#sign);
  }
}

function greatest(keys: Iterable<number>): number {
  let found = Number.NEGATIVE_INFINITY;
  for (const key of keys) found = Math.max(found, key);
  return found;
}

function twice(old: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(old.length * 2);
  grown.set(old);
  return grown;
}
