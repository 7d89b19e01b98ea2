// The sums of fills in one market: position, cash, volume and fees. All profit and loss is counted from these.
// The realised profit of one fill: research/report/figures/position-pnl.ts.

import { signOf } from '../book.ts';
import type { Market } from '../market.ts';
import { type Lots, lots, micros } from '../numbers.ts';
import { type Fill, positionChange } from '../order.ts';

/** The part of a fill that is summed. An unknown fee counts as 0. */
export type SummedFill = Pick<Fill, 'side' | 'price' | 'size' | 'fee' | 'baseFee'>;

/** The part of a correction that changes the sums. */
export interface Correction {
  readonly fill: SummedFill;
  readonly before: Pick<Fill, 'price' | 'fee'>;
}

/** Money is in millionths of the quote token. The sums do not depend on the order of the fills. */
export interface FillSums {
  /** Signed. */
  readonly position: Lots;
  /**
   * The proceeds of sales, less the cost of purchases, before fees. If the exchange takes the fee in base tokens, those tokens count as sold for the
   * amount of the fee: `cash` gains what `fees` charges, and `position` lacks the tokens.
   */
  readonly cash: number;
  readonly volume: number;
  /** Positive if charged. */
  readonly fees: number;
}

export const NO_FILLS: FillSums = { position: lots(0), cash: 0, volume: 0, fees: 0 };

export class MarketFills implements FillSums {
  readonly #market: Market;
  position: Lots;
  cash: number;
  volume: number;
  fees: number;

  /** `before` are the sums to continue from. */
  constructor(market: Market, { position, cash, volume, fees }: FillSums = NO_FILLS) {
    this.#market = market;
    [this.position, this.cash, this.volume, this.fees] = [position, cash, volume, fees];
  }

  add({ side, price, size, baseFee, fee = micros(0) }: SummedFill): void {
    const [sign, notional] = [signOf(side), this.#market.notional(price, size)];
    this.position = lots(this.position + positionChange({ side, size, baseFee }));
    this.cash -= sign * notional;
    if (baseFee !== undefined) this.cash += fee; // the withheld tokens, sold for the fee
    this.volume += notional;
    this.fees += fee;
  }

  /** Replaces the price and the fee (`before`) of a fill that was added earlier by those of `fill`. */
  correct({ fill: { side, size, price, baseFee, fee = micros(0) }, before }: Correction): void {
    const was = this.#market.notional(before.price, size);
    const notional = this.#market.notional(price, size);
    this.cash -= signOf(side) * (notional - was);
    this.volume += notional - was;
    this.fees += fee - (before.fee ?? 0);
    if (baseFee !== undefined) this.cash += fee - (before.fee ?? 0); // the withheld tokens, sold for the fee
  }
}
