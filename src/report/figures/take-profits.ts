// The fills of take profits beside which a stop stood: on candles, which of the two the price reached first may not be known.
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Fill } from '../../domain/order.ts';
import type { Turn } from '../../domain/turn.ts';
import { type ExitStates, exitStatesIn } from '../../world/position/exit-state.ts';

export interface GuardedFill {
  readonly fill: Fill;
  /** The price of the stop, in quote money. */
  readonly stop: number;
}

export class TakeProfits {
  readonly #markets: readonly Market[];
  readonly #fills = new Map<MarketId, GuardedFill[]>();
  #states: ExitStates | undefined;

  constructor(markets: readonly Market[]) {
    this.#markets = markets;
  }

  see({ memory, fills }: Turn): void {
    if (memory !== undefined) this.#states = exitStatesIn(memory) ?? this.#states;
    if (this.#states === undefined) return;
    for (const fill of fills) {
      const symbol = this.#markets.find(({ id }) => id === fill.market)?.symbol ?? '';
      const { exit, side, stop } = this.#states[symbol]?.triggered ?? {};
      if (exit !== 'take-profit' || stop === undefined || fill.role !== 'maker' || fill.side === side) continue;
      const known = this.#fills.get(fill.market) ?? [];
      this.#fills.set(fill.market, known);
      known.push({ fill, stop });
    }
  }

  of(market: MarketId): readonly GuardedFill[] {
    return this.#fills.get(market) ?? [];
  }
}
