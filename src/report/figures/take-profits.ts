// Collects the fills of take profits that also had a stop. If one candle contains both prices, which was reached first is unknown.
import type { MarketId } from '../../domain/ids.ts';
import type { ExitName } from '../../domain/intent.ts';
import type { Market } from '../../domain/market.ts';
import type { Fill } from '../../domain/order.ts';
import type { Side } from '../../domain/side.ts';
import type { Turn } from '../../domain/turn.ts';

/** The part of the exit state that is read here, by symbol; written by `world/position/exit-state.ts`. */
type ExitMemory = Readonly<
  Record<string, { readonly triggered?: { readonly exit: ExitName; readonly side: Side; readonly stop?: number | undefined } | undefined }>
>;
const MEMORY = 'exits';

export interface TakeProfitFill {
  readonly fill: Fill;
  /** The price of the stop, in quote money. */
  readonly stop: number;
}

export class TakeProfits {
  readonly #markets: readonly Market[];
  readonly #fills = new Map<MarketId, TakeProfitFill[]>();
  #states: ExitMemory | undefined;

  constructor(markets: readonly Market[]) {
    this.#markets = markets;
  }

  see({ memory, fills }: Turn): void {
    if (memory !== undefined) this.#states = (memory[MEMORY] as ExitMemory | undefined) ?? this.#states;
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

  of(market: MarketId): readonly TakeProfitFill[] {
    return this.#fills.get(market) ?? [];
  }
}
