// Realised profit of each fill that reduces a position, by the average-cost method.
import type { Market } from '../../domain/market.ts';
import { type Lots, type Ticks, toDecimal } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';
import { signOf } from '../../domain/side.ts';
import type { Measure } from '../figures/performance.ts';

/**
 * A position of `lots` and its `cost`: quote money paid, negative if received. A fill of sign `s` at price `p` that closes `c` lots earns
 * `−s × p × c − fee of c − cost × c / |lots|`; a part that opens adds `s × p × size + fee` to the cost. Realised profit thus includes both fees.
 * A fill that reverses the position closes with one part and opens with the rest; the fee is shared in proportion.
 */
export class AverageCost {
  readonly #market: Market;
  #lots = 0;
  #cost = 0;

  /** `opening` is the position before the first fill. Without an entry price its cost is unknown, and it is ignored. */
  constructor(market: Market, opening?: { readonly size: Lots; readonly entry?: number | undefined }) {
    this.#market = market;
    if (opening?.entry === undefined) return;
    this.#lots = opening.size;
    this.#cost = market.size(opening.size) * opening.entry;
  }

  /** Returns the realised profit of a fill, in quote money rounded to the millionth; undefined if it closed nothing. An unknown fee counts as 0. */
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

/** `number of closing fills with a profit / number of closing fills`. */
export const hitRate = (earned: readonly number[]): Measure =>
  earned.length === 0 ? NO_TRIP : { value: earned.filter((money) => money > 0).length / earned.length };

/** `Σ gains / −Σ losses`. */
export function profitFactor(earned: readonly number[]): Measure {
  if (earned.length === 0) return NO_TRIP;
  const losses = -sum(earned.filter((money) => money < 0));
  return losses > 0 ? { value: sum(earned.filter((money) => money > 0)) / losses } : { missing: 'no closing fill lost' };
}

const NO_TRIP = { missing: 'no position was reduced' };
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
