// The newest end of a list of trades, read as far back as a poller would, page by page.
import type { Millis } from '../../base/clock.ts';
import type { Trade } from '../../domain/order.ts';
import type { Exchange } from '../../embedded/exchange.ts';
import { MAX_PAGE } from '../../embedded/history/paging.ts';
import type { News, TradeQuery } from '../../embedded/history/trades.ts';
import type { Network } from './network.ts';

export interface TailOptions<T> {
  readonly exchange: Exchange;
  readonly network: Network;
  readonly query: Pick<TradeQuery, 'marketId' | 'makerId' | 'takerId'>;
  readonly list: (query: TradeQuery, news: News) => readonly T[];
  /** Exchange time from which on all is read; undefined: the first reading is of the newest page alone. */
  readonly since?: Millis | undefined;
  /** The most that one reading follows; older ones are skipped. All unless told. */
  readonly maxPages?: number | undefined;
  /** A poller reads so much of what was told again: it learns nothing by it, but it costs pages, and pages cost time. None unless told. */
  readonly overlap?: Millis | undefined;
}

interface Reading<T> {
  /** Those not told before, oldest first. */
  readonly fresh: readonly T[];
  readonly pages: number;
  /** Nothing is known of the market: there may have been others. */
  readonly dark: boolean;
}

export class TradeTail<T extends Trade> {
  readonly #options: TailOptions<T>;
  /** Exchange time from which on there may be some that were not told. */
  #since: Millis | undefined;
  #last = 0;
  /** Times of those told that a poller would read again, oldest first. */
  #again: Millis[] = [];

  constructor(options: TailOptions<T>) {
    this.#options = options;
    this.#since = options.since;
  }

  /** The list is that of the first page's arrival; each further page is one more request. */
  read(home: (reading: Reading<T>) => void): void {
    this.#options.network.request(
      'seen',
      () => this.#look(),
      (reading) => this.#turnPages(reading.pages - 1, () => home(reading)),
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

  #look(): Reading<T> {
    const { exchange, query, list, maxPages = Number.POSITIVE_INFINITY } = this.#options;
    const { marketId, makerId, takerId } = query; // no spread that adds a field: it is slow on Node 20, and this is asked at every look
    const most = this.#since === undefined ? 1 : maxPages;
    const fresh = list({ marketId, makerId, takerId, since: this.#since }, { after: this.#last, most: most * MAX_PAGE });
    const pages = Math.min(most, Math.max(1, Math.ceil((fresh.length + this.#again.length) / MAX_PAGE)));
    this.#tell(fresh);
    return { fresh, pages, dark: query.marketId !== undefined && exchange.dark(query.marketId) };
  }

  #tell(fresh: readonly T[]): void {
    const { exchange, overlap } = this.#options;
    const newest = fresh.at(-1);
    if (newest !== undefined) this.#last = Number(newest.tradeId);
    if (overlap === undefined) this.#since = exchange.now();
    else if (newest !== undefined) {
      this.#since = newest.time;
      for (const { time } of fresh) this.#again.push(time);
      const kept = this.#again.findIndex((time) => time >= newest.time - overlap);
      if (kept > 0) this.#again.splice(0, kept);
    }
  }
}
