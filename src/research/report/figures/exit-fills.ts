// Collects the exits whose result depends on the assumed order of the prices within a candle: fills of a stop loss or take profit while the other one was also
// set, and trailing stops that may have been reached.

import type { Side } from '../../../bot/domain/book.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import type { Market } from '../../../bot/domain/market.ts';
import type { Fill } from '../../../bot/domain/order.ts';
import type { Turn } from '../../../bot/domain/turn.ts';

/** The parts of the exit state that are read here, by symbol; written by `bot/world/position/exit-state.ts`. */
type ExitMemory = Readonly<
  Record<
    string,
    {
      readonly position?: { readonly unclear?: number | undefined } | undefined;
      /** `side`: of the orders that opened the position, so a fill on it is no exit. */
      readonly triggered?: { readonly side: Side; readonly other?: number | undefined } | undefined;
    }
  >
>;
const MEMORY = 'exits';

export interface ExitFill {
  readonly fill: Fill;
  /** The price of the exit that was not taken, in quote money. */
  readonly other: number;
}

export class ExitFills {
  readonly #markets: readonly Market[];
  readonly #fills = new Map<MarketId, ExitFill[]>();
  readonly #unclear = new Map<MarketId, { last: number; sum: number }>();
  #states: ExitMemory | undefined;

  constructor(markets: readonly Market[]) {
    this.#markets = markets;
  }

  see({ memory, fills }: Turn): void {
    const states = memory?.[MEMORY] as ExitMemory | undefined;
    if (states !== undefined) {
      this.#states = states;
      for (const { id, symbol } of this.#markets) this.#count(id, states[symbol]?.position?.unclear ?? 0);
    }
    if (this.#states === undefined) return;
    for (const fill of fills) {
      const symbol = this.#markets.find(({ id }) => id === fill.market)?.symbol ?? '';
      const { side, other } = this.#states[symbol]?.triggered ?? {};
      if (other === undefined || fill.side === side) continue;
      const ofMarket = this.#fills.get(fill.market) ?? [];
      this.#fills.set(fill.market, ofMarket);
      ofMarket.push({ fill, other });
    }
  }

  of(market: MarketId): readonly ExitFill[] {
    return this.#fills.get(market) ?? [];
  }

  /** Number of candles in which the assumed order of the extremes decides whether a trailing stop was reached. */
  unclear(market: MarketId): number {
    return this.#unclear.get(market)?.sum ?? 0;
  }

  /** Adds the increase of the count `unclear`. It begins at 0 for each position. */
  #count(market: MarketId, now: number): void {
    const { last, sum } = this.#unclear.get(market) ?? { last: 0, sum: 0 };
    this.#unclear.set(market, { last: now, sum: sum + Math.max(0, now - last) });
  }
}
