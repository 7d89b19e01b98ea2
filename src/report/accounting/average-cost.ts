// What was earned each time a position was made smaller, at the average cost of what was closed.
import type { Market } from '../../domain/market.ts';
import { type Lots, type Ticks, toDecimal } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';
import { signOf } from '../../domain/side.ts';
import type { Measure } from '../figures/performance.ts';

/**
 * A position of `lots` that `cost` was paid for: negative when it was received. Closing `c` of them at price `p` as a fill of sign `s` earns
 * `−s × p × c − fee of c − cost × c / |lots|`; what a fill opens adds `s × p × size + fee` to the cost. Both fees are thus in what was earned.
 * A fill that turns the position over closes with one part and opens with the rest, each with its share of the fee.
 */
export class AverageCost {
  readonly #market: Market;
  #lots = 0;
  #cost = 0;

  /** `opening`: what was held before the first fill; without a known entry price it counts as bought for nothing known, so as not held. */
  constructor(market: Market, opening?: { readonly size: Lots; readonly entry?: number | undefined }) {
    this.#market = market;
    if (opening?.entry === undefined) return;
    this.#lots = opening.size;
    this.#cost = market.size(opening.size) * opening.entry;
  }

  /** What the fill earned, in quote money to the millionth; undefined where it closed nothing. A fee that is not known counts as none. */
  fill({ side, price, size, fee = 0 as NonNullable<Fill['fee']> }: Pick<Fill, 'side' | 'price' | 'size' | 'fee'>): number | undefined {
    const sign = signOf(side);
    const closed = sign * this.#lots < 0 ? Math.min(size, Math.abs(this.#lots)) : 0;
    const paid = (part: number) => sign * this.#notional(price, part) + toDecimal(fee) * (part / size);
    const released = closed === 0 ? 0 : this.#cost * (closed / Math.abs(this.#lots));
    const earned = -paid(closed) - released;
    this.#cost += paid(size - closed) - released;
    this.#lots += sign * size;
    return closed === 0 ? undefined : Math.round(earned * 1e6) / 1e6;
  }

  #notional(price: Ticks, part: number): number {
    return this.#market.price(price) * this.#market.size(part as Lots);
  }
}

/** `those that earned more than nothing / all`. */
export const hitRate = (earned: readonly number[]): Measure =>
  earned.length === 0 ? NO_TRIP : { value: earned.filter((money) => money > 0).length / earned.length };

/** `Σ of the gains / −Σ of the losses`. */
export function profitFactor(earned: readonly number[]): Measure {
  if (earned.length === 0) return NO_TRIP;
  const losses = -sum(earned.filter((money) => money < 0));
  return losses > 0 ? { value: sum(earned.filter((money) => money > 0)) / losses } : { missing: 'none lost' };
}

const NO_TRIP = { missing: 'no position was made smaller' };
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
