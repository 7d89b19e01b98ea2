// A fair price like that of recorded markets: a walk whose volatility changes slowly, with jumps at news, and a weak pull towards a base price.
import type { Rng } from '../../base/rng.ts';
import { happens, STEP_SECONDS, wander } from './draws.ts';
import type { FairProcess } from './fair-price.ts';

/** Deviations are standard deviations; a process forgets to 1/e in `seconds`. */
interface Wandering {
  readonly deviation: number;
  readonly seconds: number;
}

export interface WanderingRules {
  /** Typical volatility, in basis points per square-root second; the moods multiply it. */
  readonly volatility: number;
  /** Logarithms of factors of the volatility: they make calm and busy minutes and hours. */
  readonly moods: readonly Wandering[];
  /** News: how often, how far in basis points on average, and the share of bad news. */
  readonly jumps: { readonly perSecond: number; readonly size: number; readonly down: number };
  /** A drift that changes every so many seconds on average: its mean and its deviation, basis points a second. */
  readonly trends: { readonly mean: number; readonly deviation: number; readonly seconds: number };
  /** Short-lived disagreement about the price, in basis points. */
  readonly jitter: Wandering;
  /** The half-life of a distance from the first price without news: it keeps the price near, and is too weak to be traded. */
  readonly reversionSeconds: number;
}

export class WanderingPrice implements FairProcess {
  readonly #base: number;
  readonly #rng: Rng;
  readonly #rules: WanderingRules;
  readonly #jitter: () => number;
  /** Logarithms of factors of the volatility: within minutes, and from hour to hour. */
  readonly #moods: readonly (() => number)[];
  readonly #reversion: number;
  /** Basis points a second. */
  #drift: number;
  /** Distance from the base, in basis points of log price, without the jitter. */
  #distance = 0;
  #ticks: number;
  #volatility: number;

  /** `base` in ticks. */
  constructor({ base, rng, rules }: { base: number; rng: Rng; rules: WanderingRules }) {
    this.#base = base;
    this.#ticks = base;
    this.#rules = rules;
    this.#volatility = rules.volatility;
    this.#drift = rules.trends.mean;
    this.#reversion = Math.LN2 / rules.reversionSeconds;
    this.#rng = rng.fork('news');
    this.#jitter = wander(rng.fork('jitter'), rules.jitter);
    this.#moods = rules.moods.map((mood, index) => wander(rng.fork(`mood/${index}`), mood));
  }

  get ticks(): number {
    return this.#ticks;
  }

  get volatility(): number {
    return this.#volatility;
  }

  step(): void {
    const { trends, jumps } = this.#rules;
    if (this.#rng.next() < STEP_SECONDS / trends.seconds) this.#drift = trends.mean + trends.deviation * this.#rng.normal();
    const moods = this.#moods.reduce((sum, mood) => sum + mood(), 0);
    this.#volatility = this.#rules.volatility * Math.exp(moods);
    const expected = (this.#drift - this.#reversion * this.#distance) * STEP_SECONDS;
    this.#distance += expected + this.#volatility * Math.sqrt(STEP_SECONDS) * this.#rng.normal();
    if (happens(this.#rng, jumps.perSecond * Math.exp(moods))) this.#distance += this.#jump();
    this.#ticks = this.#base * Math.exp((this.#distance + this.#jitter()) / 1e4);
  }

  /** News, in basis points. */
  #jump(): number {
    const { size, down } = this.#rules.jumps;
    return this.#rng.exponential(size) * (this.#rng.next() < down ? -1 : 1);
  }
}
