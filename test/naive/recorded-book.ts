// A book that follows a recording, written to be obviously right: lists and maps searched anew for every row, and nothing skipped.
import type { FillMode } from '../../src/domain/order.ts';
import { crosses, opposite, SIDES, type Side } from '../../src/domain/side.ts';
import type { QueueModel } from '../../src/simulator/recorded/queue.ts';

/** A row of the kinds that a book follows. */
export interface TapeRow {
  readonly kind: 'level' | 'order' | 'clear';
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly name: number;
  readonly last: boolean;
  readonly time: number;
}

export interface Wish {
  readonly id: number;
  readonly side: Side;
  readonly mode: FillMode;
  readonly price: number | undefined;
  readonly size: number;
}

export interface NaiveFill {
  readonly id: number;
  readonly price: number;
  readonly size: number;
  readonly time: number;
}

export interface NaiveOutcome {
  readonly refusal?: string;
  /** The makers are ours by id, or the recording's. */
  readonly fills: readonly { readonly maker: number | 'recorded'; readonly price: number; readonly size: number }[];
  readonly rests: boolean;
}

interface Own {
  readonly id: number;
  readonly side: Side;
  readonly price: number;
  readonly arrival: number;
  size: number;
  ahead: number;
  byRows: number;
  byPrints: number;
}

interface Named {
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly arrival: number;
}

/** What is known of a level of ours beside its total. */
interface Note {
  stamp: number;
  fallen: number;
  printed: number;
}

const REFUSED = (refusal: string): NaiveOutcome => ({ refusal, fills: [], rests: false });

export class NaiveRecordedBook {
  readonly #model: QueueModel;
  readonly #recorded = { bid: new Map<number, number>(), ask: new Map<number, number>() };
  readonly #notes = new Map<string, Note>();
  #own: Own[] = [];
  #named = new Map<number, Named>();
  #namedBefore = new Map<number, Named>();
  #arrivals = 0;
  #replacing = false;
  #fills: NaiveFill[] = [];

  constructor(model: QueueModel) {
    this.#model = model;
  }

  get resting(): readonly number[] {
    return this.#own.map(({ id }) => id);
  }

  takeOwnFills(): readonly NaiveFill[] {
    const fills = this.#fills;
    this.#fills = [];
    return fills;
  }

  levels(side: Side, count: number): readonly { readonly price: number; readonly size: number }[] {
    const totals = new Map(this.#recorded[side]);
    for (const { side: at, price, size } of this.#own) if (at === side) totals.set(price, (totals.get(price) ?? 0) + size);
    return [...totals]
      .filter(([, size]) => size > 0)
      .map(([price, size]) => ({ price, size }))
      .toSorted((a, b) => (side === 'bid' ? b.price - a.price : a.price - b.price))
      .slice(0, count);
  }

  // Rows.

  tell({ kind, side, price, size, name, last, time }: TapeRow): void {
    if (kind === 'level') this.#level(side, price, size, time);
    else if (kind === 'order') this.#order(name, { side, price, size }, time);
    else this.#clear();
    if (last) this.#whole(time);
  }

  #level(side: Side, price: number, size: number, time: number): void {
    const before = this.#total(side, price);
    this.#recorded[side].set(price, size);
    if (size !== before) this.#changed(side, price, { before, size, time });
  }

  #order(name: number, told: { side: Side; price: number; size: number }, time: number): void {
    const listed = this.#named.get(name);
    const known = listed ?? this.#namedBefore.get(name);
    const stays = known !== undefined && known.side === told.side && known.price === told.price && told.size <= known.size;
    this.#named.delete(name);
    this.#namedBefore.delete(name);
    if (told.size > 0) this.#named.set(name, { ...told, arrival: stays ? known.arrival : this.#arrivals++ });
    if (known !== undefined) this.#left(known, stays ? known.size - told.size : known.size, time);
    const places = [...(listed === undefined ? [] : [listed]), ...(told.size > 0 ? [told] : [])];
    for (const { side, price } of new Map(places.map((place) => [`${place.side}${place.price}`, place])).values()) {
      const rest = [...this.#named.values()].filter((order) => order.side === side && order.price === price);
      this.#level(
        side,
        price,
        rest.reduce((sum, { size }) => sum + size, 0),
        time,
      );
    }
  }

  #clear(): void {
    this.#replacing = true;
    for (const side of SIDES) this.#recorded[side].clear();
    for (const [name, order] of this.#named) this.#namedBefore.set(name, order);
    this.#named.clear();
  }

  /** The last row of a batch was told. */
  #whole(time: number): void {
    if (this.#replacing) {
      for (const order of this.#namedBefore.values()) this.#left(order, order.size, time);
      this.#namedBefore.clear();
      for (const order of this.#own) {
        this.#noteAt(order.side, order.price, time).printed = 0;
        const ahead = Math.min(order.ahead, this.#total(order.side, order.price));
        order.byRows += order.ahead - ahead;
        order.ahead = ahead;
      }
    }
    this.#replacing = false;
    for (const side of SIDES) this.#meet(side, time);
  }

  trade(takerSide: Side, price: number, size: number, time: number): void {
    const side = opposite(takerSide);
    let left = size;
    for (const level of this.#levelsOfOurs(side).filter((level) => crosses(side, level, price))) {
      if (level === price) left -= this.#print(side, price, { size, left, time });
      else {
        for (const order of this.#queue(side, level)) {
          Object.assign(order, { ahead: 0, byRows: 0, byPrints: 0 });
          left -= this.#fill(order, left, time);
        }
      }
    }
    this.#dropFilled();
  }

  // Orders of ours.

  place({ id, side, mode, price, size }: Wish): NaiveOutcome {
    if (size === 0) return REFUSED('ORDER_SIZE_ZERO');
    if (price === undefined && (mode === 'LIMIT' || mode === 'POST_ONLY')) return REFUSED('ORDER_EXECUTION_MISSING_PRICE');
    const other = opposite(side);
    const fills: { maker: number | 'recorded'; price: number; size: number }[] = [];
    let left = size;
    for (const level of this.levels(other, Number.POSITIVE_INFINITY)) {
      if (price !== undefined && !crosses(side, price, level.price)) break;
      const ours = this.#queue(other, level.price).map((order) => ({ maker: order.id, size: order.size }));
      for (const maker of [{ maker: 'recorded' as const, size: this.#total(other, level.price) }, ...ours]) {
        const taken = Math.min(left, maker.size);
        if (taken > 0) fills.push({ maker: maker.maker, price: level.price, size: taken });
        left -= taken;
      }
    }
    if (mode === 'POST_ONLY' && fills.length > 0) return REFUSED('POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS');
    if (mode === 'IMMEDIATE_OR_CANCEL' && fills.length === 0) return REFUSED('IMMEDIATE_ORDER_GOT_NO_FILLS');
    if (mode === 'FILL_OR_KILL' && left > 0) return REFUSED('ORDER_EXECUTION_FILL_OR_KILL');
    for (const fill of fills) {
      if (fill.maker === 'recorded') this.#take(other, fill.price, fill.size);
      else this.shrink(fill.maker, fill.size);
    }
    const rests = left > 0 && (mode === 'LIMIT' || mode === 'POST_ONLY');
    if (rests) {
      const ahead = Math.max(this.#total(side, price!), ...this.#queue(side, price!).map((order) => order.ahead));
      this.#own.push({ id, side, price: price!, arrival: this.#arrivals++, size: left, ahead, byRows: 0, byPrints: 0 });
    }
    return { fills, rests };
  }

  cancel(id: number): void {
    this.shrink(id, Number.POSITIVE_INFINITY);
  }

  shrink(id: number, size: number): void {
    this.#own.find((order) => order.id === id)!.size -= size;
    this.#dropFilled();
  }

  sizeOf(id: number): number {
    return this.#own.find((order) => order.id === id)?.size ?? 0;
  }

  // Queues.

  #changed(side: Side, price: number, { before, size, time }: { before: number; size: number; time: number }): void {
    const note = this.#noteAt(side, price, time);
    const rested = before - note.printed;
    note.printed = 0;
    if (size > before) return;
    const cancelled = Math.max(0, rested - size);
    note.fallen += cancelled;
    let least = 0;
    for (const order of this.#queue(side, price)) {
      const moved = cancelled * this.#share(order.ahead, Math.max(0, rested - order.ahead));
      least = Math.max(least, Math.min(size, order.ahead - Math.round(moved * 1024) / 1024));
      order.byRows += order.ahead - least;
      order.ahead = least;
    }
  }

  /** The part of a cancelled size that was ahead. */
  #share(ahead: number, behind: number): number {
    return this.#model.kind === 'probabilistic' && ahead > 0 ? 1 / (1 + (behind / ahead) ** this.#model.power) : 0;
  }

  #left({ side, price, arrival }: Named, size: number, time: number): void {
    if (this.#model.kind !== 'exact') return;
    this.#noteAt(side, price, time);
    for (const order of this.#queue(side, price).filter((order) => order.arrival > arrival)) {
      const known = Math.min(size, order.byPrints);
      const moved = Math.min(order.ahead, size - known);
      order.byPrints -= known;
      order.ahead -= moved;
      order.byRows += moved;
    }
  }

  #print(side: Side, price: number, { size, left, time }: { size: number; left: number; time: number }): number {
    const note = this.#noteAt(side, price, time);
    const told = Math.min(size, note.fallen);
    note.fallen -= told;
    note.printed += size - told;
    let passing = left;
    let byRows = 0;
    for (const order of this.#queue(side, price)) {
      byRows = Math.max(byRows, order.byRows);
      const known = Math.min(passing, byRows);
      const eaten = Math.min(order.ahead, passing - known);
      order.byRows = byRows - known;
      order.ahead -= eaten;
      order.byPrints += eaten;
      passing -= this.#fill(order, passing - known - eaten, time);
    }
    return left - passing;
  }

  /** Recorded orders of the other side at or beyond our prices: the best of them trades with the first of ours, while nothing is ahead of it. */
  #meet(side: Side, time: number): void {
    const other = opposite(side);
    for (;;) {
      const best = this.#levelsOfOurs(side)[0];
      const their = [...this.#recorded[other]]
        .filter(([, size]) => size > 0)
        .map(([price]) => price)
        .toSorted((a, b) => (side === 'bid' ? a - b : b - a))[0];
      if (best === undefined || their === undefined || !crosses(side, best, their)) return;
      const [first] = this.#queue(side, best);
      if (first!.ahead > 0) return;
      this.#take(other, their, this.#fill(first!, this.#total(other, their), time));
      this.#dropFilled();
    }
  }

  #take(side: Side, price: number, size: number): void {
    this.#recorded[side].set(price, this.#total(side, price) - size);
    this.#bound(side, price);
  }

  #bound(side: Side, price: number): void {
    const note = this.#notes.get(`${side}${price}`);
    if (note !== undefined) note.printed = 0;
    for (const order of this.#queue(side, price)) order.ahead = Math.min(order.ahead, this.#total(side, price));
  }

  #fill(order: Own, most: number, time: number): number {
    const size = Math.min(order.size, Math.floor(most));
    if (size <= 0) return 0;
    order.size -= size;
    this.#fills.push({ id: order.id, price: order.price, size, time });
    return size;
  }

  #dropFilled(): void {
    this.#own = this.#own.filter((order) => order.size > 0);
    for (const key of this.#notes.keys()) if (!this.#own.some(({ side, price }) => `${side}${price}` === key)) this.#notes.delete(key);
  }

  /** What rows of an earlier stamp told is forgotten. */
  #noteAt(side: Side, price: number, time: number): Note {
    const key = `${side}${price}`;
    const known = this.#notes.get(key) ?? { stamp: time, fallen: 0, printed: 0 };
    if (this.#queue(side, price).length > 0) this.#notes.set(key, known);
    if (known.stamp !== time) {
      known.fallen = 0;
      for (const order of this.#queue(side, price)) order.byRows = 0;
    }
    known.stamp = time;
    return known;
  }

  #total(side: Side, price: number): number {
    return this.#recorded[side].get(price) ?? 0;
  }

  #queue(side: Side, price: number): Own[] {
    return this.#own.filter((order) => order.side === side && order.price === price && order.size > 0);
  }

  /** Best first. */
  #levelsOfOurs(side: Side): number[] {
    const prices = new Set(this.#own.filter((order) => order.side === side).map(({ price }) => price));
    return [...prices].toSorted((a, b) => (side === 'bid' ? b - a : a - b));
  }
}
