// What longs pay shorts each hour, so that the market stays near its index.
import type { Millis } from '../base/clock.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Market } from '../domain/market.ts';
import { type Lots, lots, MICROS_PER_UNIT, type Micros, micros, type Ticks } from '../domain/numbers.ts';

/** The premium is paid over a day: an hour's rate is a twenty-fourth of the hour's average premium. */
const HOURS_OF_PREMIUM = 24;
/** The funding index counts in parts of a `Micros`, for each lot held. */
const PARTS = 1e6;

/** What one market paid at one full hour. */
export interface FundingHour {
  readonly time: Millis;
  readonly market: MarketId;
  /** Cumulative, this hour included, in quote units for each unit of base. */
  readonly index: number;
  /** What all longs together paid to all shorts. */
  readonly collected: Micros;
}

export class Funding {
  readonly #market: Market;
  #premiums = 0;
  #samples = 0;
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

  /** A fraction an hour, as it would be if the hour ended now; undefined just after a payment. Positive: longs pay. */
  get projectedRate(): number | undefined {
    return this.#samples === 0 ? undefined : this.#premiums / this.#samples / HOURS_OF_PREMIUM;
  }

  sample({ mark, index }: { mark: Ticks; index: Ticks }): void {
    this.#premiums += (mark - index) / index;
    this.#samples++;
  }

  /** Ends the hour: each lot owes the rate on its value at `price`. */
  pay(price: Ticks): void {
    const rate = this.projectedRate ?? 0;
    this.#index += Math.round(rate * this.#market.notional(price, lots(1)) * PARTS);
    this.#premiums = 0;
    this.#samples = 0;
  }

  /** What a position has earned (positive) or owes since it remembered `since`; a fraction of a Micros is to its disadvantage. */
  earned(size: Lots, since: number): Micros {
    return micros(Math.floor((-size * (this.#index - since)) / PARTS));
  }
}
