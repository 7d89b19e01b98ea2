// The newest end of a list of trades, polled so that no trade is missed and none is reported twice.
import type { Clock, Millis } from '../../../base/clock.ts';
import { memoizeLast } from '../../../base/memoize-last.ts';
import { compareIds, type OrderId, type TradeId } from '../../../domain/ids.ts';
import type { Fill } from '../../../domain/order.ts';
import type { Trade as ListedTrade } from '../../../wire/hosted.ts';
import type { HostedClient, TradesQuery } from '../client/client.ts';
import type { EngineTime } from '../session/engine-time.ts';

/** A trade may be listed this late without being taken for a newer one. */
export const LISTING_LAG: Millis = 1_000;
/** Trades may be listed out of order, or late, so this much of what was read is read again. */
const OVERLAP: Millis = 5_000;
/** The time of a trade need not be the engine's time: a window that ends this far ahead of engine time holds every trade. */
const AHEAD: Millis = 86_400_000;

export interface TailOptions<T> {
  readonly client: HostedClient;
  readonly clock: Clock;
  readonly time: EngineTime;
  readonly query: Pick<TradesQuery, 'marketId' | 'makerId' | 'takerId'>;
  /** Where an earlier process stopped. The first reading returns what was traded since then and not reported by that process. */
  readonly resume?: Resumption | undefined;
  /** The most pages that one reading follows; older trades are skipped. No limit by default. */
  readonly maxPages?: number | undefined;
  /** Throws for a trade that makes no sense. */
  readonly map: (trade: ListedTrade) => T;
}

export interface Resumption {
  /** Exchange time. */
  readonly since: Millis;
  readonly reported: readonly ReportedTrade[];
}

export interface ReportedTrade extends Listed {
  /** The side of the trade that was reported. Undefined for a journal without this field: then neither side is reported again. */
  readonly role?: Fill['role'] | undefined;
}

/** What a tail needs to know about a trade. */
interface Listed {
  readonly tradeId: TradeId;
  /** Part of the key, because an exchange that was rolled back reuses trade ids: the same id with another order is another trade. */
  readonly orderId?: OrderId | undefined;
  /** Exchange time. */
  readonly time: Millis;
}

export class TradeTail<T extends Listed> {
  readonly #options: TailOptions<T>;
  readonly #ofPage: (items: readonly ListedTrade[]) => readonly T[];
  readonly #reported = new Map<string, Millis>();
  #newest: Millis | undefined;
  /** Undefined until something was reported. Trades older than the first page are never reported. */
  #floor: Millis | undefined;

  constructor(options: TailOptions<T>) {
    const { query, map } = options;
    this.#options = options;
    this.#ofPage = memoizeLast((items) => items.filter((trade) => answers(trade, query)).map(map));
    if (options.resume === undefined) return;
    const { since, reported } = options.resume;
    [this.#newest, this.#floor] = [since + OVERLAP, since];
    for (const trade of reported) this.#reported.set(keyOf(trade), trade.time);
  }

  /**
   * Reads the newest page the first time, then everything since the newest reported trade, with an overlap. Reading marks nothing as reported, so an
   * answer that comes too late can be dropped whole.
   */
  async read(): Promise<readonly T[]> {
    const { client, clock, time, query } = this.#options;
    const since = this.#since();
    const maxPages = this.#floor === undefined ? 1 : (this.#options.maxPages ?? Number.POSITIVE_INFINITY);
    const until = Math.floor(time.estimate(clock.now())) * 1_000 + AHEAD;
    const read: T[] = [];
    let pages = 0;
    for await (const { items } of client.trades({ ...query, since, until })) {
      read.push(...this.#ofPage(items));
      pages += 1;
      const oldest = read.at(-1);
      if (pages >= maxPages || (oldest !== undefined && oldest.time < (since ?? 0))) break; // a server may ignore `since`
    }
    return read;
  }

  /** Returns the trades of a reading that were not reported before, oldest first, and marks them as reported. */
  takeNew(read: readonly T[]): readonly T[] {
    const since = this.#since() ?? 0;
    const each = new Map(read.map((trade) => [keyOf(trade), trade]));
    const fresh = [...each.values()].filter((trade) => trade.time >= since && !this.#reported.has(keyOf(trade))).sort(oldestFirst);
    for (const trade of fresh) this.#reported.set(keyOf(trade), trade.time);
    const newest = fresh.at(-1)?.time;
    if (newest !== undefined) this.#newest = Math.max(newest, this.#newest ?? newest);
    this.#floor ??= fresh[0]?.time ?? 0;
    this.#forgetBefore(this.#since() ?? 0);
    return fresh;
  }

  #since(): Millis | undefined {
    return this.#newest === undefined ? undefined : Math.max(this.#newest - OVERLAP, this.#floor ?? 0);
  }

  #forgetBefore(since: Millis): void {
    for (const [key, time] of this.#reported) if (time < since) this.#reported.delete(key);
  }
}

/** Guards against a server that ignores the filters of a query: trades of others must not count as ours. */
const answers = (trade: ListedTrade, query: TailOptions<unknown>['query']): boolean =>
  (['marketId', 'makerId', 'takerId'] as const).every((key) => query[key] === undefined || trade[key] === query[key]);

const keyOf = ({ tradeId, orderId = '' }: Listed): string => `${tradeId}/${orderId}`;

export const oldestFirst = (a: Listed, b: Listed): number => a.time - b.time || compareIds(a.tradeId, b.tradeId);
