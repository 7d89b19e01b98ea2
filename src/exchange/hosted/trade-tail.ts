// The newest end of a list of trades, read again and again so that none is missed and none is told twice.
import { assert } from '../../base/assert.ts';
import type { Millis } from '../../base/clock.ts';
import { compareIds, type TradeId } from '../../domain/ids.ts';
import type { HostedTrade } from '../../wire/hosted.ts';
import type { HostedClient, TradesQuery } from './client.ts';

/** Trades may be listed out of order, or a little late; so much of what was read is read again. */
const OVERLAP: Millis = 5_000;
/** Trades carry a time that need not be the engine's; a window that ends this far ahead of it holds them all. */
const AHEAD: Millis = 86_400_000;

export interface TailOptions {
  readonly client: HostedClient;
  readonly query: Pick<TradesQuery, 'marketId' | 'makerId' | 'takerId'>;
  /** Where the exchange's time stands now. */
  readonly exchangeNow: () => Millis;
  /** The most that one reading follows; what is older is skipped. */
  readonly maxPages: number;
}

export class TradeTail {
  readonly #options: TailOptions;
  readonly #told = new Map<TradeId, Millis>();
  #newest = Number.NEGATIVE_INFINITY;
  #started = false;

  constructor(options: TailOptions) {
    this.#options = options;
  }

  /** The newest page at first, then all since the newest that was told, overlap included. Changes nothing: an answer that comes too late is dropped whole. */
  async read(): Promise<readonly HostedTrade[]> {
    const { client, query, exchangeNow } = this.#options;
    const since = this.#since();
    const maxPages = this.#started ? this.#options.maxPages : 1;
    const read: HostedTrade[] = [];
    let pages = 0;
    for await (const { items } of client.trades({ ...query, since, until: exchangeNow() + AHEAD })) {
      read.push(...items);
      pages += 1;
      const last = items.at(-1);
      if (pages === maxPages || (since !== undefined && last !== undefined && timeOf(last) < since)) break; // a server may ignore `since`
    }
    return read;
  }

  /** Those of a reading that were not told before, oldest first; they are told now. */
  fresh(read: readonly HostedTrade[]): readonly HostedTrade[] {
    const from = this.#since() ?? Number.NEGATIVE_INFINITY;
    const unique = new Map(read.map((trade) => [trade.tradeId, trade]));
    const fresh = [...unique.values()].filter((trade) => timeOf(trade) >= from && !this.#told.has(trade.tradeId)).sort(byTime);
    this.#started = true;
    for (const trade of fresh) {
      this.#told.set(trade.tradeId, timeOf(trade));
      this.#newest = Math.max(this.#newest, timeOf(trade));
    }
    const oldest = this.#newest - OVERLAP;
    for (const [tradeId, time] of this.#told) if (time < oldest) this.#told.delete(tradeId);
    return fresh;
  }

  #since(): Millis | undefined {
    return Number.isFinite(this.#newest) ? this.#newest - OVERLAP : undefined;
  }
}
