// The newest end of a list of trades, read again and again so that none is missed and none is told twice.
import type { Clock, Millis } from '../../../base/clock.ts';
import { memoizeLast } from '../../../base/memoize-last.ts';
import { compareIds, type OrderId, type TradeId } from '../../../domain/ids.ts';
import type { Fill } from '../../../domain/order.ts';
import type { Trade as ListedTrade } from '../../../wire/hosted.ts';
import type { HostedClient, TradesQuery } from '../client/client.ts';
import type { EngineTime } from '../session/engine-time.ts';

/** How late a trade may be listed without being taken for a newer one. */
export const LISTING_LAG: Millis = 1_000;
/** Trades may be listed out of order, or late; so much of what was read is read again. */
const OVERLAP: Millis = 5_000;
/** A trade carries a time that need not be the engine's: a window that ends this far ahead of it holds every trade. */
const AHEAD: Millis = 86_400_000;

export interface TailOptions<T> {
  readonly client: HostedClient;
  readonly clock: Clock;
  readonly time: EngineTime;
  readonly query: Pick<TradesQuery, 'marketId' | 'makerId' | 'takerId'>;
  /** Where an earlier process left off: what was traded since then, and not told by it, is told by the first reading. */
  readonly resume?: Resumption | undefined;
  /** The most that one reading follows; older ones are skipped. All unless told. */
  readonly maxPages?: number | undefined;
  /** Throws for a trade that makes no sense. */
  readonly map: (trade: ListedTrade) => T;
}

export interface Resumption {
  /** Exchange time. */
  readonly since: Millis;
  readonly told: readonly ToldBefore[];
}

export interface ToldBefore extends Listed {
  /** Which side of the trade was told. Undefined in a journal that does not say it: no side is told again then. */
  readonly role?: Fill['role'] | undefined;
}

/** What a tail needs to know of a trade. */
interface Listed {
  readonly tradeId: TradeId;
  /** An exchange that was rolled back gives ids again: under one id another order's trade is another trade. */
  readonly orderId?: OrderId | undefined;
  /** Exchange time. */
  readonly time: Millis;
}

export class TradeTail<T extends Listed> {
  readonly #options: TailOptions<T>;
  readonly #ofPage: (items: readonly ListedTrade[]) => readonly T[];
  readonly #told = new Map<string, Millis>();
  #newest: Millis | undefined;
  /** Undefined until something was told; what is older than the first page is not ours to tell. */
  #floor: Millis | undefined;

  constructor(options: TailOptions<T>) {
    const { query, map } = options;
    this.#options = options;
    this.#ofPage = memoizeLast((items) => items.filter((trade) => answers(trade, query)).map(map));
    if (options.resume === undefined) return;
    const { since, told } = options.resume;
    [this.#newest, this.#floor] = [since + OVERLAP, since];
    for (const trade of told) this.#told.set(keyOf(trade), trade.time);
  }

  /** The newest page at first, then all since the newest that was told, overlap included. Nothing is told by it: an answer that comes too late is dropped whole. */
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

  /** Those of a reading that were not told before, oldest first; they are told now. */
  tell(read: readonly T[]): readonly T[] {
    const since = this.#since() ?? 0;
    const each = new Map(read.map((trade) => [keyOf(trade), trade]));
    const fresh = [...each.values()].filter((trade) => trade.time >= since && !this.#told.has(keyOf(trade))).sort(oldestFirst);
    for (const trade of fresh) this.#told.set(keyOf(trade), trade.time);
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
    for (const [key, time] of this.#told) if (time < since) this.#told.delete(key);
  }
}

/** A server that ignores what it is asked for must not make others' trades ours. */
const answers = (trade: ListedTrade, query: TailOptions<unknown>['query']): boolean =>
  (['marketId', 'makerId', 'takerId'] as const).every((key) => query[key] === undefined || trade[key] === query[key]);

const keyOf = ({ tradeId, orderId = '' }: Listed): string => `${tradeId}/${orderId}`;

export const oldestFirst = (a: Listed, b: Listed): number => a.time - b.time || compareIds(a.tradeId, b.tradeId);
