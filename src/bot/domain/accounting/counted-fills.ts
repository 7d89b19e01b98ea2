// Remembers the fills that were counted, so that each counts once, in bounded memory.
import type { Millis } from '../../../base/clock.ts';
import { Recent } from '../../../base/collections/recent.ts';
import type { Fill } from '../order.ts';

/**
 * A fill is remembered until one of its market and role is newer by this much. Our trades are read again from at most 10 minutes before the newest, also
 * after a restart: a fill that is older than the newest by more than this was counted already, or does not belong to this run.
 */
const REMEMBERED: Millis = 1_200_000;
/** Number of trades remembered, so that a trade with ourselves is one fill; its money counts on both sides. */
const TRADES = 10_000;

export class CountedFills {
  readonly #series = new Map<string, Series>();
  readonly #trades = new Recent<string, true>(TRADES);

  /** Number of fills remembered. */
  get size(): number {
    let size = 0;
    for (const series of this.#series.values()) size += series.size;
    return size;
  }

  /** Remembers the fill. Returns false if it is known, or too old. The key has the order id, because the exchange may reuse trade ids after a rollback. */
  add({ market, role, tradeId, side, orderId, time }: Pick<Fill, 'market' | 'role' | 'tradeId' | 'side' | 'orderId' | 'time'>): boolean {
    const key = `${market}/${role}`;
    const series = this.#series.get(key) ?? new Series();
    this.#series.set(key, series);
    return series.add(`${tradeId}/${side}/${orderId}`, time);
  }

  /** Remembers the trade. Returns false if it is known: a trade with ourselves is two fills. */
  addTrade(tradeId: string): boolean {
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
    if (this.#newest - this.#begun > REMEMBERED) {
      this.#older = this.#newer;
      this.#newer = new Set();
      this.#begun = this.#newest;
    }
    this.#newer.add(key);
    return true;
  }
}
