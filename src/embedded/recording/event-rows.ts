// Turns the events of one market of a live feed into tape rows, with a gap while the data is unreliable.

import type { Millis } from '../../base/clock.ts';
import { unreachable } from '../../base/errors.ts';
import { type Book, best } from '../../bot/domain/book.ts';
import type { BookSeen, HealthSeen, InfoSeen, LiveInfo, MarketEvent, TradesSeen } from '../../bot/domain/event.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { Ticks } from '../../bot/domain/numbers.ts';
import type { Row } from '../rows/row-builder.ts';
import { STAMPS_PER_MILLI, type Stamp } from '../rows/rows.ts';
import { MarketRows, type When } from './market-rows.ts';

export interface EventRowsOptions {
  readonly market: Market;
  /** Receives the rows, nearly in order of time. */
  readonly add: (row: Row) => void;
  /** Trades before this time are omitted. */
  readonly since?: Millis | undefined;
}

/** Maximum ratio between the best prices of a book and the index; a book beyond it is not of this market. */
const MAX_RATIO = 2;

/**
 * A gap starts at the last reliable book when: a stream fails; the market is frozen or has no price; the book is crossed, or more than 2x off the index.
 * It ends at the next reliable book. Unreliable books are not written, because they would seem to fill resting orders.
 */
export class EventRows {
  readonly #market: Market;
  readonly #since: Millis;
  readonly #rows: MarketRows;
  /** When the previous answer with trades arrived, by our clock. */
  #tradesReadAt: Millis | undefined;
  /** Exchange time of the last reliable book. */
  #lastBookAt: Stamp = 0;
  /** The last index price, or mark price if there is no index. */
  #index: Ticks | undefined;
  /** The reasons why the data is unreliable now. */
  readonly #faults = new Set<string>();

  constructor({ market, add, since = Number.NEGATIVE_INFINITY }: EventRowsOptions) {
    this.#market = market;
    this.#since = since;
    this.#rows = new MarketRows(add, market.spec);
  }

  /** Writes the book and info that were read last before the rows begin. */
  begin({ book, info }: { readonly book: Book; readonly info: LiveInfo | undefined }, when: When): void {
    this.#lastBookAt = when.time;
    this.#rows.book(book, when);
    if (info !== undefined) this.#rows.info(info, when);
    this.#index = info?.index ?? info?.mark;
  }

  /** True while the data is unreliable. */
  get isUnreliable(): boolean {
    return this.#faults.size > 0;
  }

  see(event: MarketEvent): void {
    switch (event.kind) {
      case 'bookSeen':
        return event.book.market === this.#market.id ? this.#addBook(event) : undefined;
      case 'tradesSeen':
        return event.market === this.#market.id ? this.#addTrades(event) : undefined;
      case 'infoSeen':
        return this.#addInfo(event);
      case 'healthSeen':
        return this.#addHealth(event);
      case 'candlesSeen':
      case 'timeSeen':
        return;
      default:
        unreachable(event);
    }
  }

  /** Marks a gap: the market is unknown until the next book. */
  gap(time: Stamp = this.#lastBookAt): void {
    this.#rows.gap({ time, lag: 0 });
  }

  #addBook(event: BookSeen): void {
    const [bid, ask] = [best(event.book, 'bid')?.price, best(event.book, 'ask')?.price];
    this.#setFault('crossed book', bid !== undefined && ask !== undefined && bid >= ask);
    this.#setFault('absurd book', this.#isAbsurd(bid ?? ask) || this.#isAbsurd(ask ?? bid));
    if (this.isUnreliable) return;
    this.#lastBookAt = halfway(event).time;
    this.#rows.book(event.book, halfway(event));
  }

  #isAbsurd(price: Ticks | undefined): boolean {
    if (price === undefined || this.#index === undefined) return false;
    return price > this.#index * MAX_RATIO || price * MAX_RATIO < this.#index;
  }

  #addInfo(event: InfoSeen): void {
    for (const info of event.infos) {
      if (info.market !== this.#market.id) continue;
      const price = info.index ?? info.mark;
      this.#setFault('frozen', info.frozen ?? false);
      this.#setFault('no prices', price === undefined && this.#index !== undefined);
      this.#index = price ?? this.#index;
      this.#rows.info(info, halfway(event));
    }
  }

  #addHealth({ stream, market, healthy }: HealthSeen): void {
    if (market === undefined || market === this.#market.id) this.#setFault(`stream ${stream}`, !healthy);
  }

  #setFault(name: string, isPresent: boolean): void {
    if (!isPresent) {
      this.#faults.delete(name);
      return;
    }
    this.#faults.add(name);
    this.gap();
  }

  /** Writes trades with exchange time, clamped to the interval between the previous poll and this one by our clock. */
  #addTrades({ trades, at }: TradesSeen): void {
    const from = this.#tradesReadAt ?? this.#since;
    for (const trade of trades) {
      if (trade.time < this.#since && this.#tradesReadAt === undefined) continue;
      const time = Math.min(at, Math.max(from, trade.time)) * STAMPS_PER_MILLI;
      this.#rows.trade(trade, { time, lag: at * STAMPS_PER_MILLI - time });
    }
    this.#tradesReadAt = at;
  }
}

/** Returns the middle between request and answer: the answer shows the state at an unknown time between them. */
export function halfway({ asked, at }: { asked: Millis; at: Millis }): When {
  const time = Math.round(((asked + at) / 2) * STAMPS_PER_MILLI);
  return { time, lag: at * STAMPS_PER_MILLI - time };
}
