// Realised and unrealised profit of positions, by the average-cost method.
// The profit that the loss limits of a run count: `bot/world/position/profit.ts`.
import { MarketFills, NO_FILLS, type SummedFill } from '../../../bot/domain/accounting/market-fills.ts';
import { signOf } from '../../../bot/domain/book.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { type Lots, lots, micros, type Ticks, toDecimal } from '../../../bot/domain/numbers.ts';

/** A position from before the first fill. Its profit counts from the mark price at which the run first saw it. */
export interface Opening {
  readonly size: Lots;
  readonly mark: Ticks;
}

/**
 * A position of `lots` and its `cost`: quote money paid, negative if received. A fill of sign `s` at price `p` that closes `c` lots earns
 * `−s × p × c − fee of c − cost × c / |lots|`; a part that opens adds `s × p × size + fee` to the cost. Realised profit thus includes both fees.
 * A fill that reverses the position closes with one part and opens with the rest; the fee is shared in proportion.
 */
export class PositionCost {
  readonly #market: Market;
  readonly #fills: MarketFills;
  #cost = 0;

  constructor(market: Market, opening?: Opening) {
    this.#market = market;
    this.#fills = new MarketFills(market, { ...NO_FILLS, position: opening?.size ?? lots(0) });
    if (opening !== undefined) this.#cost = market.size(opening.size) * market.price(opening.mark);
  }

  /** Positive if long. */
  get lots(): Lots {
    return this.#fills.position;
  }

  /** Quote money paid for the position, negative if received. */
  get cost(): number {
    return this.#cost;
  }

  /** Returns the profit of closing the position at this decimal price without a fee, in quote money. */
  unrealised(price: number): number {
    return this.#market.size(this.lots) * price - this.#cost;
  }

  /** Returns the realised profit of a fill, in quote money rounded to the millionth; undefined if it closed nothing. An unknown fee counts as 0. */
  fill(terms: SummedFill): number | undefined {
    const { side, price, size, baseFee, fee: charged = micros(0) } = terms;
    const fee = baseFee === undefined ? charged : 0; // otherwise fewer tokens were bought for the same money
    const [sign, held] = [signOf(side), this.lots];
    const closed = sign * held < 0 ? Math.min(size, Math.abs(held)) : 0;
    const paid = (part: number) => sign * this.#notional(price, part) + toDecimal(micros(fee)) * (part / size);
    const released = closed === 0 ? 0 : this.#cost * (closed / Math.abs(held));
    const earned = -paid(closed) - released;
    this.#cost += paid(size - closed) - released;
    this.#fills.add(terms);
    return closed === 0 ? undefined : Math.round(earned * 1e6) / 1e6;
  }

  #notional(price: Ticks, part: number): number {
    return this.#market.price(price) * this.#market.size(part as Lots);
  }
}
