// A fair price as in recorded markets: a random walk with slowly changing volatility, jumps at news, and weak mean reversion to a base price.
import { HOUR, type Millis } from '../../../base/clock.ts';
import type { Rng } from '../../../base/rng.ts';
import { happens, meanReverting, STEP_SECONDS } from './draws.ts';
import type { FairProcess } from './fair-price.ts';

/** A mean-reverting process: its standard deviation, and its time constant in seconds. */
export interface MeanReversion {
  readonly deviation: number;
  readonly seconds: number;
}

export interface RandomWalkRules {
  /** Typical volatility, in basis points per square-root second; multiplied by the volatility factors and by that of the hour of the day. */
  readonly volatility: number;
  /** Processes of the logarithms of volatility factors, common to all markets: they create calm and busy minutes and hours. */
  readonly volatilityFactors: readonly MeanReversion[];
  /** Correlation of two markets' moves. */
  readonly common: number;
  /** News of all markets: how often, how far in basis points on average, and the share of bad news. */
  readonly jumps: { readonly perSecond: number; readonly size: number; readonly down: number };
  /** A drift that changes every `seconds` on average: its mean and standard deviation, in basis points per second. */
  readonly trends: { readonly mean: number; readonly deviation: number; readonly seconds: number };
  /** Short-lived disagreement about the price, in basis points. */
  readonly jitter: MeanReversion;
  /** Half-life of the mean reversion to the first price: it keeps the price near, and is too weak to be traded. */
  readonly reversionSeconds: number;
}

/**
 * Mean absolute return and volume by the hour of the day (UTC), over their means: 7,793 hours of a BTC perpetual, September 2024 to July 2025.
 */
const VOLATILITY_BY_HOUR = [
  0.98, 1.11, 0.94, 0.84, 0.73, 0.71, 0.82, 0.81, 0.76, 0.81, 0.72, 0.75, 0.8, 1.34, 1.68, 1.49, 1.18, 1.28, 1.14, 1.14, 1.07, 1.03, 1.05,
  0.82,
];
const VOLUME_BY_HOUR = [
  0.98, 0.98, 0.85, 0.69, 0.66, 0.56, 0.6, 0.71, 0.67, 0.62, 0.58, 0.62, 0.8, 1.36, 1.94, 1.71, 1.42, 1.46, 1.22, 1.25, 1.26, 1.08, 1.05,
  0.93,
];

/** Returns the factors of volatility and volume for the hour of the day. */
export function factorsAtHour(now: Millis): { readonly volatility: number; readonly volume: number } {
  const hour = Math.floor(now / HOUR) % 24;
  return { volatility: VOLATILITY_BY_HOUR[hour]!, volume: VOLUME_BY_HOUR[hour]! };
}

export class RandomWalkPrice implements FairProcess {
  readonly #base: number;
  readonly #rng: Rng;
  /** The randomness that all markets share. */
  readonly #commonRng: Rng;
  readonly #rules: RandomWalkRules;
  readonly #jitter: () => number;
  readonly #volatilityFactors: readonly (() => number)[];
  readonly #reversion: number;
  /** Basis points per second. */
  #drift: number;
  /** Distance from the base, in basis points of log price, without the jitter. */
  #distance = 0;
  #ticks: number;
  #volatility: number;
  #activity = 1;

  /** `base` in ticks; `common` is the randomness that all markets share. */
  constructor({ base, rng, common, rules }: { base: number; rng: Rng; common: Rng; rules: RandomWalkRules }) {
    this.#base = base;
    this.#ticks = base;
    this.#rules = rules;
    this.#volatility = rules.volatility;
    this.#drift = rules.trends.mean;
    this.#reversion = Math.LN2 / rules.reversionSeconds;
    this.#rng = rng.fork('news');
    this.#commonRng = common.fork('news');
    this.#jitter = meanReverting(rng.fork('jitter'), rules.jitter);
    this.#volatilityFactors = rules.volatilityFactors.map((process, index) => meanReverting(common.fork(`mood/${index}`), process));
  }

  get ticks(): number {
    return this.#ticks;
  }

  get volatility(): number {
    return this.#volatility;
  }

  get activity(): number {
    return this.#activity;
  }

  step(now: Millis): void {
    const { volatility, common, trends, jumps } = this.#rules;
    if (this.#commonRng.next() < STEP_SECONDS / trends.seconds) this.#drift = trends.mean + trends.deviation * this.#commonRng.normal();
    const factor = Math.exp(this.#volatilityFactors.reduce((sum, next) => sum + next(), 0));
    const hourly = factorsAtHour(now);
    this.#volatility = volatility * factor * hourly.volatility;
    this.#activity = factor * hourly.volume;
    const expected = (this.#drift - this.#reversion * this.#distance) * STEP_SECONDS;
    const drawn = Math.sqrt(common) * this.#commonRng.normal() + Math.sqrt(1 - common) * this.#rng.normal();
    this.#distance += expected + this.#volatility * Math.sqrt(STEP_SECONDS) * drawn;
    if (happens(this.#commonRng, jumps.perSecond * factor)) this.#distance += this.#jump();
    this.#ticks = this.#base * Math.exp((this.#distance + this.#jitter()) / 1e4);
  }

  /** Returns the jump caused by news, in basis points; mostly 0. */
  #jump(): number {
    const { size, down } = this.#rules.jumps;
    return this.#commonRng.exponential(size) * (this.#commonRng.next() < down ? -1 : 1);
  }
}
