// The newest end of a list of trades, read again and again so that none is missed and none is reported twice.
import type { Millis } from '../../../base/clock.ts';
import type { OrderId, TradeId } from '../../../domain/ids.ts';
import type { Fill } from '../../../domain/order.ts';

/** How much of what was read of the public trades is read again: they may be listed out of order, or late. */
export const OVERLAP: Millis = 5_000;
/** The most pages of public trades that one poll reads: after a long silence the older trades of a market are of no use. */
export const MARKET_TRADE_PAGES = 10;

/** So many trades may be a whole page: exchanges list 50 or more on one. */
const LONG_PAGE = 40;

/** What a tail needs to know about a trade. */
export interface KeyedTrade {
  readonly tradeId: TradeId;
  /** Part of the key, because an exchange that was rolled back reuses trade ids: the same id with another order is another trade. */
  readonly orderId?: OrderId | undefined;
  /** Exchange time. */
  readonly time: Millis;
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

/** How far back one reading goes. */
export interface Window {
  /** Exchange time; undefined for the first reading, which takes one page. */
  readonly since: Millis | undefined;
  readonly maxPages: number;
}

export interface TailOptions<T> {
  /** Throws for a trade that makes no sense. */
  readonly read: (window: Window) => Promise<readonly T[]>;
  /** Trades may be listed out of order, or late, so this much of what was read is read again. */
  readonly overlapMs: Millis;
  /** Where an earlier process stopped. The first reading returns what was traded since then and not reported by that process. */
  readonly resume?: Resumption | undefined;
  /** The most pages that one reading follows; older trades are skipped. No limit by default. */
  readonly maxPages?: number | undefined;
  /** The order of trades of one moment; as they were read by default. */
  readonly order?: ((a: T, b: T) => number) | undefined;
  /** Any first page may end in the middle of a moment, and trades of one moment cannot be distinguished by ids. */
  readonly isCutWithinMoment?: boolean | undefined;
}

export class TradeTail<T extends KeyedTrade> {
  readonly #options: TailOptions<T>;
  readonly #reported = new Map<string, Millis>();
  #newest: Millis = 0;
  /** Trades older than this are never reported. Undefined until the first page was reported. */
  #floor: Millis | undefined;

  constructor(options: TailOptions<T>) {
    this.#options = options;
    if (options.resume === undefined) return;
    this.#floor = options.resume.since;
    for (const trade of options.resume.reported) this.#reported.set(keyOf(trade), trade.time);
  }

  /**
   * Reads the newest page at first, then everything since the newest trade that was reported, overlap included. Reports nothing by itself, so an answer
   * that comes too late can be dropped as a whole.
   */
  read(): Promise<readonly T[]> {
    const { read, maxPages = Number.POSITIVE_INFINITY } = this.#options;
    const since = this.#since();
    return read({ since, maxPages: since === undefined ? 1 : maxPages });
  }

  /** Returns the trades of a reading that were not reported before, oldest first, and marks them as reported. */
  takeNew(read: readonly T[]): readonly T[] {
    const { order = () => 0, isCutWithinMoment = false } = this.#options;
    const since = this.#since() ?? 0;
    const each = new Map(read.map((trade) => [keyOf(trade), trade]));
    const fresh = [...each].filter(([key, { time }]) => time >= since && !this.#reported.has(key)).map(([, trade]) => trade);
    fresh.sort((a, b) => a.time - b.time || order(a, b));
    for (const trade of fresh) this.#reported.set(keyOf(trade), trade.time);
    const [first, last] = [fresh[0], fresh.at(-1)];
    this.#newest = Math.max(this.#newest, last?.time ?? 0);
    // A long first page may end in the middle of a moment. After a short one, a trade of that moment is new: the exchange's clock may stand still.
    this.#floor ??= first === undefined ? 0 : first.time + (isCutWithinMoment || each.size >= LONG_PAGE ? 1 : 0);
    this.#forgetBefore(this.#since() ?? 0);
    return fresh;
  }

  /**
   * True if a trade that came by another way than the list was not reported before; it counts as reported then. The list is read on from where it was:
   * trades between its last reading and this one may not have come that way.
   */
  takeEarly(trade: T): boolean {
    if (trade.time < (this.#since() ?? 0) || this.#reported.has(keyOf(trade))) return false;
    this.#reported.set(keyOf(trade), trade.time);
    return true;
  }

  #since(): Millis | undefined {
    return this.#floor === undefined ? undefined : Math.max(this.#floor, this.#newest - this.#options.overlapMs);
  }

  #forgetBefore(since: Millis): void {
    for (const [key, time] of this.#reported) if (time < since) this.#reported.delete(key);
  }
}

/** Pages that are newest first, read until one goes back beyond the window. A server may ignore `since`. */
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

/** What distinguishes a trade from all others. */
export const keyOf = ({ tradeId, orderId = '' }: KeyedTrade): string => `${tradeId}/${orderId}`;
