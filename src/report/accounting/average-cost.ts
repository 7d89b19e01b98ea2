// Realised profit of each fill that reduces a position, by the average-cost method.
import type { Market } from '../../domain/market.ts';
import { type Lots, type Ticks, toDecimal } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';
import { signOf } from '../../domain/side.ts';

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

  /** Signed. */
  get lots(): number {
    return this.#lots;
  }

  /** Quote money paid for the position, negative if received. */
  get cost(): number {
    return this.#cost;
  }

  /** Returns what the position would earn if it were closed at this decimal price without a fee, in quote money. */
  unrealised(price: number): number {
    return this.#market.size(this.#lots as Lots) * price - this.#cost;
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
