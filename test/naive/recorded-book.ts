// A reference implementation of a book that follows a recording: lists and maps searched again for every row.

import { crosses, opposite, SIDES, type Side } from '../../src/bot/domain/book.ts';
import type { FillMode } from '../../src/bot/domain/order.ts';
import type { QueueModel } from '../../src/embedded/exchange/recorded/queue.ts';
import { NaiveQueue, type OwnOrder } from './recorded-queue.ts';

/** A row of a kind that changes a book. */
export interface TapeRow {
  readonly kind: 'level' | 'order' | 'clear';
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly name: number;
  readonly last: boolean;
  readonly time: number;
}

export interface OrderRequest {
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
  /** The makers: our orders by id, or orders of the recording. */
  readonly fills: readonly { readonly maker: number | 'recorded'; readonly price: number; readonly size: number }[];
  readonly rests: boolean;
}

interface NamedOrder {
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly arrival: number;
}

const REFUSED = (refusal: string): NaiveOutcome => ({ refusal, fills: [], rests: false });

export class NaiveRecordedBook {
  readonly #model: QueueModel;
  readonly #recorded = { bid: new Map<number, number>(), ask: new Map<number, number>() };
  /** Levels; none is empty. */
  readonly #queues = { bid: new Map<number, NaiveQueue>(), ask: new Map<number, NaiveQueue>() };
  readonly #named = new Map<number, NamedOrder>();
  readonly #namedBefore = new Map<number, NamedOrder>();
  #arrivals = 0;
  #replacing = false;
  #fills: NaiveFill[] = [];

  constructor(model: QueueModel) {
    this.#model = model;
  }

  get resting(): readonly number[] {
    return SIDES.flatMap((side) => [...this.#queues[side].values()].flatMap((queue) => queue.orders.map(({ id }) => id)));
  }

  takeOwnFills(): readonly NaiveFill[] {
    const fills = this.#fills;
    this.#fills = [];
    return fills;
  }

  levels(side: Side, count: number): readonly { readonly price: number; readonly size: number }[] {
    return sorted(side, new Set([...this.#recorded[side].keys(), ...this.#queues[side].keys()]))
      .map((price) => ({ price, size: this.#total(side, price) + (this.#queues[side].get(price)?.size ?? 0) }))
      .filter(({ size }) => size > 0)
      .slice(0, count);
  }

  // Rows of the recording.

  report({ kind, side, price, size, name, last, time }: TapeRow): void {
    if (kind === 'level') this.#level(side, price, size, time);
    else if (kind === 'order') this.#order(name, { side, price, size }, time);
    else this.#clear();
    if (last) this.#whole(time);
  }

  #level(side: Side, price: number, size: number, time: number): void {
    const before = this.#total(side, price);
    this.#recorded[side].set(price, size);
    if (size !== before) this.#queues[side].get(price)?.change(before, size, time);
  }

  #order(name: number, reported: { side: Side; price: number; size: number }, time: number): void {
    const listed = this.#named.get(name);
    const known = listed ?? this.#namedBefore.get(name);
    const stays = known !== undefined && known.side === reported.side && known.price === reported.price && reported.size <= known.size;
    this.#named.delete(name);
    this.#namedBefore.delete(name);
    if (reported.size > 0) this.#named.set(name, { ...reported, arrival: stays ? known.arrival : this.#arrivals++ });
    if (known !== undefined) this.#left(known, stays ? known.size - reported.size : known.size, time);
    const places = [...(listed === undefined ? [] : [listed]), ...(reported.size > 0 ? [reported] : [])];
    for (const { side, price } of new Map(places.map((place) => [`${place.side}${place.price}`, place])).values()) {
      const rest = [...this.#named.values()].filter((order) => order.side === side && order.price === price);
      const total = rest.reduce((sum, { size }) => sum + size, 0);
      this.#level(side, price, total, time);
    }
  }

  #left({ side, price, arrival }: NamedOrder, size: number, time: number): void {
    if (this.#model.kind === 'exact') this.#queues[side].get(price)?.leave(size, arrival, time);
  }

  #clear(): void {
    this.#replacing = true;
    for (const side of SIDES) this.#recorded[side].clear();
    for (const [name, order] of this.#named) this.#namedBefore.set(name, order);
    this.#named.clear();
  }

  /** Called after the last row of a batch. */
  #whole(time: number): void {
    if (this.#replacing) {
      for (const order of this.#namedBefore.values()) this.#left(order, order.size, time);
      this.#namedBefore.clear();
      for (const side of SIDES) for (const [price, queue] of this.#queues[side]) queue.restate(this.#total(side, price), time);
    }
    this.#replacing = false;
    for (const side of SIDES) this.#meet(side, time);
  }

  /** Matches recorded orders of the opposite side with our orders: the best one trades with our first order if nothing is ahead of it. */
  #meet(side: Side, time: number): void {
    const other = opposite(side);
    for (;;) {
      const [best] = sorted(side, this.#queues[side].keys());
      const [their] = sorted(other, this.#recorded[other].keys()).filter((price) => this.#total(other, price) > 0);
      if (best === undefined || their === undefined || !crosses(side, best, their)) return;
      const first = this.#queues[side].get(best)!.orders[0]!;
      if (first.ahead > 0) return;
      this.#take(other, their, this.#fill(first, this.#total(other, their), time));
      this.#dropFilled();
    }
  }

  trade(takerSide: Side, price: number, size: number, time: number): void {
    const side = opposite(takerSide);
    let left = size;
    for (const ours of sorted(side, this.#queues[side].keys()).filter((ours) => crosses(side, ours, price))) {
      const queue = this.#queues[side].get(ours)!;
      const fill = (order: OwnOrder, most: number): number => this.#fill(order, most, time);
      left = ours === price ? queue.print({ size, left, time, fill }) : queue.passThrough(left, fill);
    }
    this.#dropFilled();
  }

  // Our own orders.

  place({ id, side, mode, price, size }: OrderRequest): NaiveOutcome {
    if (size === 0) return REFUSED('ORDER_SIZE_ZERO');
    if (price === undefined && (mode === 'LIMIT' || mode === 'POST_ONLY')) return REFUSED('ORDER_EXECUTION_MISSING_PRICE');
    const other = opposite(side);
    const fills: { maker: number | 'recorded'; price: number; size: number }[] = [];
    let left = size;
    for (const level of this.levels(other, Number.POSITIVE_INFINITY)) {
      if (price !== undefined && !crosses(side, price, level.price)) break;
      const ours = (this.#queues[other].get(level.price)?.orders ?? []).map((order) => ({ maker: order.id, size: order.size }));
      for (const { maker, size } of [{ maker: 'recorded' as const, size: this.#total(other, level.price) }, ...ours]) {
        const taken = Math.min(left, size);
        if (taken > 0) fills.push({ maker, price: level.price, size: taken });
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
    if (rests) this.#rest(side, { id, price: price!, size: left });
    return { fills, rests };
  }

  cancel(id: number): void {
    this.shrink(id, Number.POSITIVE_INFINITY);
  }

  shrink(id: number, size: number): void {
    const orders = SIDES.flatMap((side) => [...this.#queues[side].values()].flatMap((queue) => queue.orders));
    orders.find((order) => order.id === id)!.size -= size;
    this.#dropFilled();
  }

  #rest(side: Side, { id, price, size }: { id: number; price: number; size: number }): void {
    const queue = this.#queues[side].get(price) ?? new NaiveQueue(this.#model);
    const ahead = Math.max(this.#total(side, price), ...queue.orders.map((order) => order.ahead));
    queue.orders.push({ id, price, arrival: this.#arrivals++, size, ahead, byRows: 0, byPrints: 0 });
    this.#queues[side].set(price, queue);
  }

  #take(side: Side, price: number, size: number): void {
    const rest = this.#total(side, price) - size;
    this.#recorded[side].set(price, rest);
    this.#queues[side].get(price)?.bound(rest);
  }

  #fill(order: OwnOrder, most: number, time: number): number {
    const size = Math.max(0, Math.min(order.size, Math.floor(most)));
    order.size -= size;
    if (size > 0) this.#fills.push({ id: order.id, price: order.price, size, time });
    return size;
  }

  #dropFilled(): void {
    for (const side of SIDES) {
      for (const [price, queue] of this.#queues[side]) {
        queue.orders = queue.orders.filter(({ size }) => size > 0);
        if (queue.orders.length === 0) this.#queues[side].delete(price);
      }
    }
  }

  #total(side: Side, price: number): number {
    return this.#recorded[side].get(price) ?? 0;
  }
}

/** Returns the prices, best first. */
const sorted = (side: Side, prices: Iterable<number>): number[] => [...prices].toSorted((a, b) => (side === 'bid' ? b - a : a - b));
