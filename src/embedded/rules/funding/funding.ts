// Funding, which longs pay shorts so that the market stays near its index: when, at what rate, and the cumulative payment per lot.
import type { Millis } from '../../../base/clock.ts';
import type { MarketId } from '../../../domain/ids.ts';
import type { Market } from '../../../domain/market.ts';
import { type Lots, lots, MICROS_PER_UNIT, type Micros, micros, type Ticks } from '../../../domain/numbers.ts';

/** The funding index counts in millionths of a `Micros`, per lot. */
const PARTS = 1e6;

/** One payment of one market: the embedded exchange's own at each full hour. */
export interface FundingHour {
  readonly time: Millis;
  readonly market: MarketId;
  /** Cumulative, this payment included, in quote units per unit of base. */
  readonly index: number;
  /** What all longs together paid to all shorts. */
  readonly collected: Micros;
}

/** When a market pays, and at what rate. */
export interface FundingTerms {
  /** The price that a rate is a fraction of. */
  readonly paidOn: 'index' | 'mark';
  /** The rate of the next payment as it looks now, as a fraction per hour; undefined if it is not known. Positive: longs pay. */
  readonly hourlyRate: number | undefined;
  /** The next payment after `now`; undefined if it is not known. */
  next(now: Millis): Millis | undefined;
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

  /** What one lot held long since the beginning has paid, in millionths of a Micros: an integer that a position remembers. */
  get index(): number {
    return this.#index;
  }

  /** The same in quote units per unit of base: what the exchange shows. */
  shown(index: number): number {
    return index / PARTS / (MICROS_PER_UNIT * this.#market.size(lots(1)));
  }

  /** Adds the rate on each lot's value at `price`. */
  pay({ rate, price }: { rate: number; price: Ticks }): void {
    this.#index += Math.round(rate * this.#market.notional(price, lots(1)) * PARTS);
  }

  /** Returns what a position has earned (positive) or owes since the index was `since`; a fraction of a Micros is to its disadvantage. */
  earned(size: Lots, since: number): Micros {
    return micros(Math.floor((-size * (this.#index - since)) / PARTS));
  }
}
