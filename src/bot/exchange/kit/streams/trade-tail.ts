// Polls the newest end of a list of trades, so that no trade is missed and none is reported twice.
import type { Millis } from '../../../../base/clock.ts';
import type { OrderId, TradeId } from '../../../domain/ids.ts';
import type { Micros, Ticks } from '../../../domain/numbers.ts';
import type { Fill } from '../../../domain/order.ts';

/** How far each poll of public trades goes back behind the newest known trade, because trades may be listed late or out of order. */
export const OVERLAP: Millis = 5_000;
/** How long a list of trades lags behind execution at the hosted exchange, and at the embedded one, which imitates it. */
export const LISTING_LAG: Millis = 1_000;
/** Maximum number of pages of public trades that one poll reads: after a long silence, a market's older trades are of no use. */
export const MARKET_TRADE_PAGES = 10;

/** A first page with at least this many trades may be full, and so cut off: exchanges list 50 or more on a page. */
const FULL_PAGE = 40;

/** How far behind the newest trade a trade is read again, in exchange time. */
const AGAIN_WITHIN: Millis = 600_000;
/**
 * A trade to read again is in every read while it is at most this much older than the newest one. After that it is in every AGAIN_EVERY-th read, unless
 * `readAgain` says otherwise.
 */
const AGAIN_AT_ONCE: Millis = 30_000;
const AGAIN_EVERY = 8;

/** What a tail needs to know about a trade. */
export interface KeyedTrade {
  readonly tradeId: TradeId;
  /** Part of the key, because an exchange that was rolled back reuses trade ids: the same id with another order is another trade. */
  readonly orderId?: OrderId | undefined;
  /** Exchange time. */
  readonly time: Millis;
  readonly price?: Ticks | undefined;
  readonly fee?: Micros | undefined;
}

export interface ReportedTrade extends KeyedTrade {
  /** The side of the trade that was reported. Undefined for a journal without this field: then neither side is reported again. */
  readonly role?: Fill['role'] | undefined;
}

export interface Resumption {
  /** Exchange time. */
  readonly since: Millis;
  readonly reported: readonly ReportedTrade[];
}

/** How far back one read goes. */
export interface Window {
  /** Exchange time; undefined for the first read, which takes one page. */
  readonly since: Millis | undefined;
  readonly maxPages: number;
}

export interface TradeTailOptions<T> {
  /** Rejects for an invalid trade. */
  readonly read: (window: Window) => Promise<readonly T[]>;
  /** How far each read goes back behind the newest known trade, because trades may be listed late or out of order. */
  readonly overlapMs: Millis;
  /** Where an earlier process stopped. The first read returns the trades since then that it did not report. */
  readonly resume?: Resumption | undefined;
  /** Maximum number of pages per read; older trades are skipped. No limit by default. */
  readonly maxPages?: number | undefined;
  /** The order of trades with the same time; by default as they were read. */
  readonly order?: ((a: T, b: T) => number) | undefined;
  /** True if trades have no ids: of the oldest time on the first page, some may be missing, and could not be distinguished later. */
  readonly isCutWithinMoment?: boolean | undefined;
}

export class TradeTail<T extends KeyedTrade> {
  readonly #options: TradeTailOptions<T>;
  readonly #reported = new Map<string, Millis>();
  /** Trades that must be read again, as they were reported. */
  #again = new Map<string, KeyedTrade>();
  #isAgainInEach = false;
  #reads = 0;
  #newest: Millis = 0;
  /** Trades older than this are never reported. Undefined until the first page was reported. */
  #floor: Millis | undefined;

  constructor(options: TradeTailOptions<T>) {
    this.#options = options;
    if (options.resume === undefined) return;
    this.#floor = options.resume.since;
    for (const trade of options.resume.reported) this.#reported.set(keyOf(trade), trade.time);
  }

  /**
   * Reads the newest page at first, then everything since the newest reported trade, with the overlap. Marks nothing as reported, so an answer that
   * comes too late can be dropped as a whole.
   */
  read(): Promise<readonly T[]> {
    const { read, maxPages = Number.POSITIVE_INFINITY } = this.#options;
    this.#reads += 1;
    const [since, keptSince] = [this.#since(), this.#keptSince()];
    const isDue = this.#isAgainInEach || this.#reads % AGAIN_EVERY === 0;
    const readsAgain = keptSince !== undefined && (isDue || keptSince > this.#newest - AGAIN_AT_ONCE);
    const from = readsAgain ? keptSince : since;
    return read({ since: from, maxPages: from === undefined ? 1 : maxPages });
  }

  /** Returns the trades of a read that were not reported before, oldest first, and marks them as reported. */
  takeNew(read: readonly T[]): readonly T[] {
    const { order = () => 0, isCutWithinMoment = false } = this.#options;
    const since = this.#keptSince() ?? 0;
    const each = new Map(read.map((trade) => [keyOf(trade), trade]));
    const fresh = [...each].filter(([key, { time }]) => time >= since && !this.#reported.has(key)).map(([, trade]) => trade);
    fresh.sort((a, b) => a.time - b.time || order(a, b));
    for (const trade of fresh) this.#reported.set(keyOf(trade), trade.time);
    const [first, last] = [fresh[0], fresh.at(-1)];
    this.#newest = Math.max(this.#newest, last?.time ?? 0);
    // A full first page may lack trades of its oldest time. After a short one, a trade of that time is new: the exchange's clock may stand still.
    this.#floor ??= first === undefined ? 0 : first.time + (isCutWithinMoment || each.size >= FULL_PAGE ? 1 : 0);
    this.#forgetBefore(this.#keptSince() ?? 0);
    return fresh;
  }

  /**
   * Returns true for a trade from another source than the list, such as a socket, if it was not reported before, and marks it as reported. The list is
   * still read from the same time on, because that source may have missed other trades.
   */
  takeEarly(trade: T): boolean {
    if (trade.time < (this.#since() ?? 0) || this.#reported.has(keyOf(trade))) return false;
    this.#reported.set(keyOf(trade), trade.time);
    return true;
  }

  /**
   * Says which of the reported trades must be read again, as they were reported; replaces an earlier call. `inEach`: each read includes them, even if they
   * are much older than the newest trade.
   */
  readAgain(trades: readonly KeyedTrade[], { inEach }: { readonly inEach: boolean }): void {
    this.#isAgainInEach = inEach;
    this.#again = new Map(trades.map((trade) => [keyOf(trade), trade]));
  }

  /** Returns the trades to be read again that a read lists with another price or fee than before. */
  takeChanged(read: readonly T[]): readonly T[] {
    if (this.#again.size === 0) return [];
    const changed = read.filter((trade) => {
      const before = this.#again.get(keyOf(trade));
      return before !== undefined && (before.price !== trade.price || before.fee !== trade.fee);
    });
    for (const trade of changed) this.#again.set(keyOf(trade), trade);
    return changed;
  }

  /** The time from which reported trades are remembered: that of the oldest trade to read again, or `#since()` if there is none. */
  #keptSince(): Millis | undefined {
    const since = this.#since();
    if (since === undefined) return undefined;
    let oldest = since;
    for (const { time } of this.#again.values()) if (time >= this.#newest - AGAIN_WITHIN) oldest = Math.min(oldest, time);
    return oldest;
  }

  /** The time from which a read must list trades; undefined before the first page was reported. */
  #since(): Millis | undefined {
    return this.#floor === undefined ? undefined : Math.max(this.#floor, this.#newest - this.#options.overlapMs);
  }

  #forgetBefore(since: Millis): void {
    for (const [key, time] of this.#reported) if (time < since) this.#reported.delete(key);
  }
}

/** Reads pages, newest first, until one goes back beyond the window. A server may ignore `since`. */
export async function readPages<T extends KeyedTrade>(
  pages: AsyncIterable<readonly T[]>,
  { since, maxPages }: Window,
): Promise<readonly T[]> {
  const read: T[] = [];
  let count = 0;
  for await (const page of pages) {
    read.push(...page);
    count += 1;
    const oldest = read.at(-1);
    if (count >= maxPages || (oldest !== undefined && oldest.time < (since ?? 0))) break;
  }
  return read;
}

/**
 * Returns a local time after which trades certainly happened that are new in a round, since the round before, at `lastRound`, did not list them. Lists
 * that may come late move it back to the time of the newest of them.
 */
export const happenedAfter = (
  fresh: readonly KeyedTrade[],
  lastRound: Millis,
  { listingLagMs, lateTradesMs }: { readonly listingLagMs: Millis; readonly lateTradesMs?: Millis | undefined },
): Millis => {
  const newest = fresh.reduce((latest, { time }) => Math.max(latest, time), 0);
  return (lateTradesMs === undefined ? lastRound : Math.min(lastRound, newest)) - listingLagMs;
};

/** Returns the key that distinguishes a trade from all others. */
export const keyOf = ({ tradeId, orderId = '' }: KeyedTrade): string => `${tradeId}/${orderId}`;
