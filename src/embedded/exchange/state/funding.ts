// Funding, which longs pay to shorts to keep the price near the index price: the cumulative funding index of a market, and what a position owes by it.
// The rate: `embedded/exchange/rules/funding/premium.ts`; when it is paid: `embedded/exchange/rules/funding/pay-funding.ts`; how it reaches the
// balance: `embedded/exchange/rules/clearing.ts`.
import type { Millis } from '../../../base/clock.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { type Lots, lots, MICROS_PER_UNIT, type Micros, micros, type Ticks } from '../../../bot/domain/numbers.ts';

/** The funding index counts in millionths of a `Micros`, per lot. */
const PARTS = 1e6;

/** One funding payment of one market. Without a tape there is one at each full hour. */
export interface FundingHour {
  readonly time: Millis;
  readonly market: MarketId;
  /** Cumulative, this payment included, in quote units per unit of base. */
  readonly index: number;
  /** Total payment from longs to shorts. */
  readonly collected: Micros;
  /** The paid rate, as a fraction of the price on which the market pays. */
  readonly rate: number;
  readonly indexPrice: Ticks;
  readonly mark: Ticks;
  /** The number of the exchange's action that made the payment. */
  readonly action: number;
}

/** A rate that was paid, as a fraction per hour, and when the next payment is expected. */
export interface PaidFunding {
  readonly hourlyRate: number;
  readonly next: Millis | undefined;
}

/** The schedule and the rate of a market's funding. */
export interface FundingTerms {
  /** The price to which a rate applies. */
  readonly paidOn: 'index' | 'mark';
  /** The predicted rate of the next payment, as a fraction per hour; undefined if unknown. Positive: longs pay. */
  readonly hourlyRate: number | undefined;
  /** The next payment after `now`; undefined if it is not known. */
  next(now: Millis): Millis | undefined;
  /** The last payment, and the time of the next one; only for recordings that have payments but no announced rates. */
  lastPaid?(now: Millis): PaidFunding | undefined;
  /** Returns the rate to be paid at this step, as a fraction of the price, once; undefined if nothing is due. */
  takeDue(now: Millis): number | undefined;
}

/** The cumulative index by which one market pays funding. */
export class Funding {
  readonly #market: Market;
  #index = 0;

  constructor(market: Market) {
    this.#market = market;
  }

  /** Cumulative payment of one lot held long since the beginning, in millionths of a Micros. Positions store this integer. */
  get index(): number {
    return this.#index;
  }

  /** Converts an index to quote units per unit of base, as shown by the exchange. */
  shown(index: number): number {
    return index / PARTS / (MICROS_PER_UNIT * this.#market.size(lots(1)));
  }

  /** Adds the rate on each lot's value at `price`. */
  pay({ rate, price }: { rate: number; price: Ticks }): void {
    this.#index += Math.round(rate * this.#market.lotValue(price) * PARTS);
  }

  /** Returns what a position has earned (positive) or owes since the index was `since`, rounded to its disadvantage. */
  earned(size: Lots, since: number): Micros {
    return micros(Math.floor((-size * (this.#index - since)) / PARTS));
  }
}
