// Reads the newest trades of a list, in as many pages as a poller would.
import type { Millis } from '../../base/clock.ts';
import type { Trade } from '../../bot/domain/order.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { MAX_PAGE } from '../exchange/history/paging.ts';
import type { NewestTrades, TradeQuery } from '../exchange/history/trades.ts';
import type { EmbeddedNetwork } from './network.ts';

export interface EmbeddedTailOptions<T> {
  readonly exchange: Exchange;
  readonly network: EmbeddedNetwork;
  readonly query: Pick<TradeQuery, 'marketId' | 'makerId' | 'takerId'>;
  readonly list: (query: TradeQuery, newest: NewestTrades) => readonly T[];
  /** The exchange time from which all trades are read; if undefined, the first read takes only the newest page. */
  readonly since?: Millis | undefined;
  /** Maximum number of pages per read; older trades are skipped. No limit by default. */
  readonly maxPages?: number | undefined;
  /** How far a poller reads back behind the newest trade. That brings no new trades, but costs pages, and so time. 0 by default. */
  readonly overlap?: Millis | undefined;
}

interface Reading<T> {
  /** The trades that were not reported before, oldest first. */
  readonly fresh: readonly T[];
  readonly pages: number;
  /** True in a gap of the recording: there may have been other trades. */
  readonly inGap: boolean;
}

export class EmbeddedTradeTail<T extends Trade> {
  readonly #options: EmbeddedTailOptions<T>;
  /** The exchange time from which there may be unreported trades. */
  #since: Millis | undefined;
  #lastId = 0;
  /** Times of the reported trades that a poller would read again, oldest first. */
  #overlapping: Millis[] = [];

  constructor(options: EmbeddedTailOptions<T>) {
    this.#options = options;
    this.#since = options.since;
  }

  /** Reads the list in its state when the first request arrives; each further page costs one more request. */
  read(onReply: (reading: Reading<T>) => void): void {
    this.#options.network.request(
      'seen',
      () => this.look(),
      (reading) => this.#turnPages(reading.pages - 1, () => onReply(reading)),
    );
  }

  #turnPages(left: number, read: () => void): void {
    if (left === 0) return read();
    this.#options.network.request(
      'seen',
      () => undefined,
      () => this.#turnPages(left - 1, read),
    );
  }

  /** Reads the list in its current state. */
  look(): Reading<T> {
    const { exchange, query, list, maxPages = Number.POSITIVE_INFINITY } = this.#options;
    const { marketId, makerId, takerId } = query; // no spread that adds a field: it is slow on Node 20, and this runs in every poll
    const mostPages = this.#since === undefined ? 1 : maxPages;
    const fresh = list({ marketId, makerId, takerId, since: this.#since }, { after: this.#lastId, most: mostPages * MAX_PAGE });
    const pages = Math.min(mostPages, Math.max(1, Math.ceil((fresh.length + this.#overlapping.length) / MAX_PAGE)));
    this.#remember(fresh);
    return { fresh, pages, inGap: query.marketId !== undefined && exchange.inGap(query.marketId) };
  }

  /** Remembers the newest trade, so that later reads start after it. */
  #remember(fresh: readonly T[]): void {
    const { exchange, overlap } = this.#options;
    const newest = fresh.at(-1);
    if (newest !== undefined) this.#lastId = Number(newest.tradeId);
    if (overlap === undefined) this.#since = exchange.now();
    else if (newest !== undefined) {
      this.#since = newest.time;
      for (const { time } of fresh) this.#overlapping.push(time);
      const kept = this.#overlapping.findIndex((time) => time >= newest.time - overlap);
      if (kept > 0) this.#overlapping.splice(0, kept);
    }
  }
}
