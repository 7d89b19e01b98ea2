// The oracle: the fair price with a small error, published a few times a second, with a confidence interval.
import type { Rng } from '../../../base/rng.ts';
import { type Ticks, ticks } from '../../../bot/domain/numbers.ts';
import { meanReverting } from './draws.ts';
import type { Fair } from './fair-price.ts';

const STEPS_PER_PUBLICATION = 4;
/** The half-width of the confidence interval in basis points: at rest, and per basis point per square-root second of volatility. */
const CONFIDENCE = { atRest: 0.8, perVolatility: 0.3 };

export class Oracle {
  readonly #error: () => number;
  #steps = 0;
  #index: Ticks;
  #confidence: Ticks;

  constructor({ fair, rng }: { fair: Fair; rng: Rng }) {
    this.#error = meanReverting(rng, { deviation: 0.6, seconds: 5 });
    this.#index = nearestTick(fair.ticks);
    this.#confidence = confidenceOf(fair);
  }

  get index(): Ticks {
    return this.#index;
  }

  /** Half-width of the confidence interval. */
  get confidence(): Ticks {
    return this.#confidence;
  }

  observe(fair: Fair): void {
    const error = this.#error();
    if (this.#steps++ % STEPS_PER_PUBLICATION !== 0) return;
    this.#index = nearestTick(fair.ticks * (1 + error / 1e4));
    this.#confidence = confidenceOf(fair);
  }
}

const nearestTick = (price: number): Ticks => ticks(Math.max(1, Math.round(price)));
const confidenceOf = (fair: Fair): Ticks =>
  nearestTick((fair.ticks * (CONFIDENCE.atRest + CONFIDENCE.perVolatility * fair.volatility)) / 1e4);
