// What longs pay shorts, so that the market stays near its index: when, at what rate, and what each lot has paid since the beginning.
import type { Millis } from '../../base/clock.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, MICROS_PER_UNIT, type Micros, micros, type Ticks } from '../../domain/numbers.ts';

/** The funding index counts in parts of a `Micros`, for each lot held. */
const PARTS = 1e6;

/** What one market paid at once: the embedded exchange's own at each full hour. */
export interface FundingHour {
  readonly time: Millis;
  readonly market: MarketId;
  /** Cumulative, this payment included, in quote units for each unit of base. */
  readonly index: number;
  /** What all longs together paid to all shorts. */
  readonly collected: Micros;
}

/** When a market pays, and at what rate. */
export interface FundingTerms {
  /** The price that a rate is a fraction of. */
  readonly paidOn: 'index' | 'mark';
  /** The rate of the next payment as it looks now, as a fraction an hour; undefined where nothing is known of it. Positive: longs pay. */
  readonly hourlyRate: number | undefined;
  /** The next payment after `now`; undefined where it is not known. */
  next(now: Millis): Millis | undefined;
  /** What is to be paid at this step, as a fraction of the price; undefined where nothing is due. Told once. */
  takeDue(now: Millis): number | undefined;
}

/** The cumulative index by which one market pays funding. */
export class Funding {
  readonly #market: Market;
  #index = 0;

  constructor(market: Market) {
    this.#market = market;
  }

  /** All that one lot held long since the beginning has paid, in millionths of a Micros: an integer that a position remembers. */
  get index(): number {
    return this.#index;
  }

  /** The same in quote units for each unit of base: what the exchange shows. */
  shown(index: number): number {
    return index / PARTS / (MICROS_PER_UNIT * this.#market.size(lots(1)));
  }

  /** Each lot owes the rate on its value at `price`. */
  pay({ rate, price }: { rate: number; price: Ticks }): void {
    this.#index += Math.round(rate * this.#market.notional(price, lots(1)) * PARTS);
  }

  /** What a position has earned (positive) or owes since it remembered `since`; a fraction of a Micros is to its disadvantage. */
  earned(size: Lots, since: number): Micros {
    return micros(Math.floor((-size * (this.#index - since)) / PARTS));
  }
}
