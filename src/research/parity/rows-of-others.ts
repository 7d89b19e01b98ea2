// Makes the rows of a tape with the actions of others, from one market as a run received it. Removes our own orders and trades, and adds what the outcomes
// of our orders show about the book between two polls.
import { type Book, levelsOf, opposite, SIDES, type Side, signOf } from '../../bot/domain/book.ts';
import type { LiveInfo } from '../../bot/domain/event.ts';
import type { TradeId } from '../../bot/domain/ids.ts';
import type { Fill, Trade } from '../../bot/domain/order.ts';
import { MarketRows, type When } from '../../embedded/recording/market-rows.ts';
import type { Row } from '../../embedded/rows/row-builder.ts';
import { codeOf, STAMPS_PER_MILLI, type Stamp } from '../../embedded/rows/rows.ts';
import type { RunOrder } from './own-orders.ts';

/** An observation of a market, ordered by the exchange's time. */
export type Observation = { readonly time: Stamp; readonly lag: Stamp } & (
  | { readonly kind: 'book'; readonly book: Book }
  | { readonly kind: 'arrival'; readonly order: RunOrder }
  | { readonly kind: 'trade'; readonly trade: Trade }
  | { readonly kind: 'fill'; readonly fill: Fill }
  | { readonly kind: 'info'; readonly info: LiveInfo }
);

const RANKS: Readonly<Record<Observation['kind'], number>> = { info: 0, book: 1, trade: 2, fill: 2, arrival: 3 };
/** Compares observations of the same time: live info first, then books, then trades by id, then arrivals of our orders. */
export const compareObservations = (a: Observation, b: Observation): number =>
  RANKS[a.kind] - RANKS[b.kind] || (a.kind === 'trade' || a.kind === 'fill' ? idOf(a) - idOf(b) : 0);

function idOf(observation: Observation): number {
  if (observation.kind === 'trade') return Number(observation.trade.tradeId);
  return observation.kind === 'fill' ? Number(observation.fill.tradeId) : 0;
}

export interface OthersOptions {
  /** The orders of this market, in the order of their arrival. */
  readonly orders: readonly RunOrder[];
  /** Fills of this market by trade. */
  readonly fills: ReadonlyMap<TradeId, Fill>;
  /** If false, the outcomes of our orders are not used, and the tape has the polls alone. */
  readonly evidence: boolean;
  /** To be added to the exchange's times of our fills, in milliseconds. */
  readonly clockOffset: number;
  /** Of the market; 1 if absent. */
  readonly fundingHours?: number | undefined;
  readonly add: (row: Row) => void;
}

type SizeByPrice = Map<number, number>;

/** The stamps before a time known to the millisecond that its rows may use. */
const WITHIN: Stamp = 900;

/** Takes all observations of one market in order of time. */
export class OthersRows {
  #last: Stamp = Number.NEGATIVE_INFINITY;
  readonly #options: OthersOptions;
  readonly #rows: MarketRows;
  /** The book after the rows so far: the size at each price. */
  #written: Record<Side, SizeByPrice> | undefined;
  readonly #ownByClient: ReadonlyMap<string, RunOrder>;

  constructor(options: OthersOptions) {
    this.#options = options;
    this.#rows = new MarketRows((row) => options.add(row), options);
    this.#ownByClient = new Map(options.orders.map((order) => [order.clientOrderId, order]));
  }

  see(observation: Observation): void {
    const { time, lag } = this.#stamped(observation);
    switch (observation.kind) {
      case 'book':
        return this.#writeBook(observation.book, { time, lag });
      case 'trade':
        return this.#writeTrade(observation.trade, { time, lag });
      case 'fill':
        return this.#ownFill(observation.fill, { time, lag });
      case 'arrival':
        if (this.#options.evidence && this.#written !== undefined) this.#arrival(observation.order, { time, lag });
        return;
      case 'info':
        return this.#rows.info(observation.info, { time, lag });
    }
  }

  /**
   * Returns the stamp of the next row. It is never before the last row. Books and live info keep their time. The times of trades, fills and arrivals are known
   * to the millisecond: their rows use the last 900 µs before it, 2 µs apart, because rows with equal stamps count as one message. Example: three trades at
   * 5 ms get the stamps 4,100, 4,102 and 4,104.
   */
  #stamped({ time, lag, kind }: Observation): When {
    const earliest = kind === 'trade' || kind === 'fill' || kind === 'arrival' ? time - WITHIN : time;
    this.#last = Math.max(earliest, Math.min(this.#last + 2, Math.max(time, this.#last)));
    return { time: this.#last, lag: lag + time - this.#last };
  }

  /** Writes the differences to the known book, or the whole book if none is known. */
  #writeBook(book: Book, when: When): void {
    const snapshot = this.#written === undefined;
    this.#written ??= { bid: new Map(), ask: new Map() };
    const known = this.#written;
    if (snapshot) this.#options.add({ ...when, code: codeOf('clear', { snapshot }), price: 0, size: 0 });
    const own = this.#ownIn(book, when);
    const changes: { side: Side; price: number; size: number }[] = [];
    for (const side of SIDES) {
      const now = new Map(levelsOf(book, side).map(({ price, size }) => [price as number, size - (own[side].get(price) ?? 0)]));
      for (const price of known[side].keys()) if ((now.get(price) ?? 0) <= 0) changes.push({ side, price, size: 0 });
      for (const [price, size] of now) if (size > 0 && known[side].get(price) !== size) changes.push({ side, price, size });
    }
    this.#write(changes, when, snapshot);
  }

  #write(changes: readonly { side: Side; price: number; size: number }[], { time, lag }: When, snapshot = false): void {
    for (const [index, { side, price, size }] of changes.entries()) {
      const last = index === changes.length - 1;
      this.#options.add({ time, lag, code: codeOf('level', { side, snapshot, last }), price, size });
      if (size === 0) this.#written?.[side].delete(price);
      else this.#written?.[side].set(price, size);
    }
  }

  /** Returns our own orders in a book: by the exchange's sequence numbers if it has them, else by time. */
  #ownIn({ updateId }: Book, { time }: When): Record<Side, SizeByPrice> {
    const own = { bid: new Map<number, number>(), ask: new Map<number, number>() };
    const at = time / STAMPS_PER_MILLI;
    const last = Number(updateId);
    for (const order of this.#options.orders) {
      if (order.sentAt > at || order.gone + 1 < at || order.outcome === 'rejected') continue;
      const placed = Number(order.actionId);
      const isThere = placed > 0 && last > 0 ? placed <= last : order.arrival <= at;
      if (!isThere || order.gone <= at) continue;
      const left = order.size - filledBy(order, { last, at: at - this.#options.clockOffset });
      if (left > 0) own[order.side].set(order.price, (own[order.side].get(order.price) ?? 0) + left);
    }
    return own;
  }

  /** Writes a trade unless we were its taker. A print that filled us counts as a trade of others, because its taker would have taken any order. */
  #writeTrade(trade: Trade, when: When): void {
    const fill = this.#options.fills.get(trade.tradeId);
    if (fill?.role === 'taker') return;
    if (fill !== undefined) this.#beforeFill(fill, when);
    this.#rows.trade(trade, when);
  }

  /** Writes a fill that the list of trades did not show. */
  #ownFill(fill: Fill, when: When): void {
    if (fill.role === 'taker') return;
    this.#beforeFill(fill, when);
    const { tradeId, market, price, size, side, time } = fill;
    this.#rows.trade({ tradeId, market, takerSide: opposite(side), price, size, time }, when);
  }

  /** Removes the size ahead of our order when it is filled. */
  #beforeFill({ side, price, clientOrderId }: Fill, when: When): void {
    if (!this.#options.evidence || this.#written === undefined) return;
    const limit = (clientOrderId !== undefined && this.#ownByClient.get(clientOrderId)?.price) || price;
    if ((this.#written[side].get(limit) ?? 0) > 0) this.#write([{ side, price: limit, size: 0 }], { ...when, time: when.time - 1 });
  }

  #arrival(order: RunOrder, when: When): void {
    if (order.outcome === 'opened') this.#deriveFromAccepted(order, when);
    else if (order.outcome === 'rejected' && order.failed === 'POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS')
      this.#deriveFromRefused(order, when);
  }

  /**
   * Derives the book from an accepted order: the size that it took rested in the book; size that it could have taken but did not was missing; size
   * printed at its price before its first fill was ahead of it.
   */
  #deriveFromAccepted({ side, price, taken, resting, ahead }: RunOrder, when: When): void {
    const against = opposite(side);
    const known = this.#written![against];
    const takenAt = new Map<number, number>();
    for (const level of taken) takenAt.set(level.price, (takenAt.get(level.price) ?? 0) + level.size);
    const worst = taken.at(-1)?.price;
    const changes: { side: Side; price: number; size: number }[] = [];
    for (const [level, size] of takenAt) {
      const isAll = resting > 0 || level !== worst;
      const there = known.get(level) ?? 0;
      if (isAll ? there !== size : there < size) changes.push({ side: against, price: level, size });
    }
    for (const level of known.keys()) {
      const inReach = signOf(side) * (price - level) >= 0;
      const wouldBeTaken = resting > 0 || (worst !== undefined && signOf(side) * (worst - level) > 0);
      if (inReach && wouldBeTaken && !takenAt.has(level)) changes.push({ side: against, price: level, size: 0 });
    }
    if (resting > 0 && (this.#written![side].get(price) ?? 0) < ahead) changes.push({ side, price, size: ahead });
    this.#write(changes, when);
  }

  /** Derives the book from a refused post-only order: an opposite order rested at its price or better. */
  #deriveFromRefused({ side, price }: RunOrder, when: When): void {
    const against = opposite(side);
    for (const level of this.#written![against].keys()) if (signOf(side) * (price - level) >= 0) return;
    this.#write([{ side: against, price, size: 1 }], when);
  }
}

function filledBy({ fills }: RunOrder, { last, at }: { last: number; at: number }): number {
  let filled = 0;
  for (const { actionId, size, time } of fills)
    if (last > 0 && Number(actionId) > 0 ? Number(actionId) <= last : time <= at) filled += size;
  return filled;
}
