// How the embedded market moves, by name: how the fair price wanders, and how takers take. docs/simulation.md has the measured figures.
import type { Rng } from '../../base/rng.ts';
import { FairPrice, type FairProcess } from './fair-price.ts';
import { WanderingPrice, type WanderingRules } from './wandering-price.ts';

/** A Pareto distribution, as `draws.ts` has it. */
interface Tail {
  readonly least: number;
  readonly tail: number;
  readonly most: number;
}

/** The flow of those who trade without information. */
export interface NoiseRules {
  /** Pieces of one intention: the reason why a buy follows a buy (Lillo, Mike and Farmer, 2005). */
  readonly pieces: Tail;
  /** Quote money of one piece. */
  readonly notional: Tail;
}

/** The distances of two averages, in basis points, at which those who follow trends enter and leave. */
export interface MomentumRules {
  readonly enterBeyond: number;
  readonly leaveWithin: number;
}

export interface Regime {
  /** `base` in ticks. */
  readonly price: (options: { readonly base: number; readonly rng: Rng }) => FairProcess;
  readonly noise: NoiseRules;
  readonly momentum: MomentumRules;
}

const LIKE_RECORDINGS: WanderingRules = {
  volatility: 0.6,
  moods: [
    { deviation: 0.35, seconds: 60 },
    { deviation: 0.45, seconds: 2_700 },
  ],
  jumps: { perSecond: 1 / 240, size: 2.5, down: 0.5 },
  trends: { mean: 0, deviation: 0.004, seconds: 900 },
  jitter: { deviation: 0.25, seconds: 3 },
  reversionSeconds: 21_600,
};

/** Heavy tails and long intentions, as recorded. */
const TAKERS: Omit<Regime, 'price'> = {
  noise: { pieces: { least: 3, tail: 1.1, most: 200 }, notional: { least: 40, tail: 0.95, most: 150_000 } },
  momentum: { enterBeyond: 4, leaveWithin: 1.5 },
};

const wandering = (changes: Partial<WanderingRules>): Regime => ({
  ...TAKERS,
  price: (options) => new WanderingPrice({ ...options, rules: { ...LIKE_RECORDINGS, ...changes } }),
});

/**
 * `swinging`: minutes that go one way and then the other, ten times as volatile as recorded markets: something happens at once. `recorded`: like recordings of BTC,
 * 25 to 60 % a year. `calm`: half of that. `busy`: four times, with frequent news. `crash`: half an hour that falls by a tenth, in jumps, and goes on.
 */
export const REGIMES = {
  swinging: {
    price: (options) => new FairPrice(options),
    noise: { pieces: { least: 1, tail: 1.2, most: 60 }, notional: { least: 220, tail: 1.35, most: 150_000 } },
    momentum: { enterBeyond: 15, leaveWithin: 5 },
  },
  recorded: wandering({}),
  calm: wandering({ volatility: 0.3, jumps: { perSecond: 1 / 600, size: 1.5, down: 0.5 }, jitter: { deviation: 0.15, seconds: 3 } }),
  busy: wandering({ volatility: 2.2, jumps: { perSecond: 1 / 60, size: 6, down: 0.5 }, jitter: { deviation: 0.8, seconds: 3 } }),
  crash: wandering({
    volatility: 1.5,
    jumps: { perSecond: 1 / 30, size: 8, down: 0.6 },
    trends: { mean: -0.4, deviation: 0.3, seconds: 300 },
    jitter: { deviation: 1, seconds: 3 },
    reversionSeconds: 3_600,
  }),
} as const satisfies Readonly<Record<string, Regime>>;

export type RegimeName = keyof typeof REGIMES;
export const REGIME_NAMES = Object.keys(REGIMES) as readonly RegimeName[];
export const DEFAULT_REGIME: RegimeName = 'swinging';
