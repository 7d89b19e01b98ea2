// The fair price, which informed traders know; and one that swings: phases of calm, trend and burst, mean-reverting around a base price.
import type { Millis } from '../../../base/clock.ts';
import type { Rng } from '../../../base/rng.ts';
import { meanReverting, STEP_SECONDS } from './draws.ts';

/** `volatility` in basis points per square-root second, `drift` (mean, either way) in basis points per second, `lasts` (mean) in seconds. */
interface Phase {
  readonly volatility: number;
  readonly drift: number;
  readonly lasts: number;
  /** The possible next phases, each entry with equal probability. */
  readonly next: readonly PhaseName[];
}

type PhaseName = 'calm' | 'trend' | 'burst';

const PHASES: Readonly<Record<PhaseName, Phase>> = {
  calm: { volatility: 2, drift: 0, lasts: 25, next: ['trend', 'trend', 'burst'] },
  trend: { volatility: 2.4, drift: 1.6, lasts: 20, next: ['calm', 'calm', 'burst'] },
  burst: { volatility: 7, drift: 0, lasts: 4, next: ['calm', 'trend'] },
};

/** Half-life of the mean reversion towards the base price: too weak to be traded, strong enough to hold the price. */
const REVERSION_SECONDS = 2_400;
const REVERSION = Math.LN2 / REVERSION_SECONDS;

/** The fair price as known to traders and the oracle. */
export interface Fair {
  /** The price in ticks, with fractions. */
  readonly ticks: number;
  /** The current volatility, in basis points per square-root second. */
  readonly volatility: number;
  /** Current trading activity, as a factor of the usual one. */
  readonly activity: number;
}

/** A fair price that moves with time. */
export interface FairProcess extends Fair {
  /** One step of the exchange's time, which ends at `now`. */
  step(now: Millis): void;
}

/** A price of alternating phases, each of which lasts a random time; the next one is drawn. */
export class SwingingPrice implements FairProcess {
  readonly activity = 1;
  readonly #base: number;
  readonly #rng: Rng;
  readonly #jitter: () => number;
  readonly #volatilityNoise: () => number;
  #phase: Phase = PHASES.calm;
  #drift = 0;
  /** Distance from the base, in basis points of log price, without the jitter. */
  #distance = 0;
  #ticks: number;
  #volatility = PHASES.calm.volatility;

  /** `base` in ticks. */
  constructor({ base, rng }: { base: number; rng: Rng }) {
    this.#base = base;
    this.#ticks = base;
    this.#rng = rng.fork('news');
    this.#jitter = meanReverting(rng.fork('jitter'), { deviation: 3.6, seconds: 3 });
    this.#volatilityNoise = meanReverting(rng.fork('agitation'), { deviation: 0.3, seconds: 90 });
  }

  get ticks(): number {
    return this.#ticks;
  }

  get volatility(): number {
    return this.#volatility;
  }

  step(): void {
    if (this.#rng.next() < STEP_SECONDS / this.#phase.lasts) this.#changePhase();
    this.#volatility = this.#phase.volatility * Math.exp(this.#volatilityNoise());
    const expected = (this.#drift - REVERSION * this.#distance) * STEP_SECONDS;
    this.#distance += expected + this.#volatility * Math.sqrt(STEP_SECONDS) * this.#rng.normal();
    this.#ticks = this.#base * Math.exp((this.#distance + this.#jitter()) / 1e4);
  }

  #changePhase(): void {
    const { next } = this.#phase;
    const name = next[this.#rng.below(next.length)] ?? 'calm';
    this.#phase = PHASES[name];
    const direction = this.#rng.next() < 0.5 ? -1 : 1;
    this.#drift = direction * this.#phase.drift * (0.4 + this.#rng.exponential(0.6));
  }
}
