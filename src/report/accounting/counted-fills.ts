// Which fills were counted already, in bounded memory.
import type { Millis } from '../../base/clock.ts';
import { Recent } from '../../base/recent.ts';
import type { FillLine } from './lines.ts';

/**
 * Fills of one market and role are told in the order of their times, late ones by at most 10 minutes, after a restart too: that is how far back our
 * trades are read again. One that is older than twice that was counted, or is not ours to count.
 */
const REMEMBERED: Millis = 1_200_000;
/** Trades that are remembered to count one with ourselves once. */
const TRADES = 10_000;

export class CountedFills {
  readonly #series = new Map<string, Series>();
  readonly #trades = new Recent<string, true>(TRADES);

  /** How many fills are remembered. */
  get size(): number {
    let size = 0;
    for (const series of this.#series.values()) size += series.size;
    return size;
  }

  /** True once of each fill: ids that a rollback gives again name other orders. */
  isNew({ market, role, tradeId, side, orderId, at }: FillLine): boolean {
    const key = `${market}/${role}`;
    const series = this.#series.get(key) ?? new Series();
    this.#series.set(key, series);
    return series.add(`${tradeId}/${side}/${orderId}`, Date.parse(at));
  }

  /** True once of each trade: one with ourselves is two fills. */
  isNewTrade(tradeId: string): boolean {
    if (this.#trades.has(tradeId)) return false;
    this.#trades.set(tradeId, true);
    return true;
  }
}

/** Two spans of time: the older one is forgotten when the newer one is full. */
class Series {
  #newer = new Set<string>();
  #older = new Set<string>();
  #begun: Millis | undefined;
  #newest: Millis = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.#newer.size + this.#older.size;
  }

  add(key: string, time: Millis): boolean {
    if (time < this.#newest - REMEMBERED || this.#newer.has(key) || this.#older.has(key)) return false;
    this.#newest = Math.max(this.#newest, time);
    this.#begun ??= this.#newest;
    if (this.#newest - this.#begun > REMEMBERED) [this.#older, this.#newer, this.#begun] = [this.#newer, new Set(), this.#newest];
    this.#newer.add(key);
    return true;
  }
}
