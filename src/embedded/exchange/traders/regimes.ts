// The named regimes of the embedded market: the process of the fair price, the takers, and the makers. docs/backtest-assumptions.md has the measured
// figures.
import type { Rng } from '../../../base/rng.ts';
import type { PastMoves } from '../history/past.ts';
import { type FairProcess, SwingingPrice } from './fair-price.ts';
import { EVEN_BOOK, type MakerStyle, RECORDED_BOOK } from './maker-styles.ts';
import { factorsAtHour, type MeanReversion, RandomWalkPrice, type RandomWalkRules } from './random-walk-price.ts';

/** A Pareto distribution, as `draws.ts` has it. */
interface Tail {
  readonly least: number;
  readonly tail: number;
  readonly most: number;
}

/** The flow of traders without information. */
export interface NoiseRules {
  /** Spontaneous arrivals a second; each causes `children` more on average (Hawkes, 1971). */
  readonly arrivals: { readonly perSecond: number; readonly children: number };
  /** Pieces of one intention: the reason why a buy follows a buy (Lillo, Mike and Farmer, 2005). */
  readonly pieces: Tail;
  /** Quote money of one piece. */
  readonly notional: Tail;
  /** The position, in quote money, from which on the trader mostly reduces it. */
  readonly limit: number;
}

/** The distances of two averages, in basis points, at which momentum traders enter and leave. */
export interface MomentumRules {
  readonly enterBeyond: number;
  readonly leaveWithin: number;
}

/** The distance of a perpetual market from its index, in basis points, around `mean`; funding follows it. */
export interface BasisRules extends MeanReversion {
  readonly mean: number;
}

export interface Regime {
  /** How the fair price moves; `swinging`: calm, trends and bursts that follow each other. */
  readonly price: 'swinging' | RandomWalkRules;
  readonly noise: NoiseRules;
  readonly momentum: MomentumRules;
  readonly makers: readonly MakerStyle[];
  /** Orders per second of patient traders. */
  readonly patientOrders: number;
  readonly basis: BasisRules | undefined;
  /** Standard deviation of the price in an average minute of the past before the exchange began, as a fraction. */
  readonly pastVolatility: number;
}

const LIKE_RECORDINGS: RandomWalkRules = {
  volatility: 0.5,
  volatilityFactors: [
    { deviation: 0.35, seconds: 60 },
    { deviation: 0.45, seconds: 2_700 },
  ],
  common: 0.6,
  jumps: { perSecond: 1 / 240, size: 2, down: 0.5 },
  trends: { mean: 0, deviation: 0.004, seconds: 900 },
  jitter: { deviation: 0.22, seconds: 3 },
  reversionSeconds: 21_600,
};

/** Heavy tails and long intentions, a queue at the best price, and a basis that funding follows, as recorded. */
const RECORDED: Regime = {
  price: LIKE_RECORDINGS,
  noise: {
    arrivals: { perSecond: 0.55, children: 0.9 },
    pieces: { least: 3, tail: 1.1, most: 200 },
    notional: { least: 30, tail: 0.75, most: 150_000 },
    limit: 4_000_000,
  },
  momentum: { enterBeyond: 4, leaveWithin: 1.5 },
  makers: RECORDED_BOOK,
  patientOrders: 1.5,
  basis: { mean: 3, deviation: 4, seconds: 43_200 },
  pastVolatility: 0.0004,
};

const recorded = (changes: Partial<RandomWalkRules>, pastVolatility: number): Regime => ({
  ...RECORDED,
  price: { ...LIKE_RECORDINGS, ...changes },
  pastVolatility,
});

/**
 * `recorded`: like recordings of BTC, 25 to 60 % a year. `calm`: half of that. `busy`: four times, with frequent news. `crash`: half an hour that
 * falls by a tenth, in jumps, and then continues. `swinging`: minutes of alternating direction, ten times as volatile as recorded markets.
 */
export const REGIMES = {
  recorded: RECORDED,
  calm: recorded({ volatility: 0.25, jumps: { perSecond: 1 / 600, size: 1.5, down: 0.5 }, jitter: { deviation: 0.1, seconds: 3 } }, 0.0002),
  busy: recorded({ volatility: 2.2, jumps: { perSecond: 1 / 60, size: 6, down: 0.5 }, jitter: { deviation: 0.8, seconds: 3 } }, 0.0016),
  crash: recorded(
    {
      volatility: 1.5,
      jumps: { perSecond: 1 / 30, size: 8, down: 0.6 },
      trends: { mean: -0.4, deviation: 0.3, seconds: 300 },
      jitter: { deviation: 1, seconds: 3 },
      reversionSeconds: 3_600,
    },
    0.001,
  ),
  swinging: {
    price: 'swinging',
    noise: {
      arrivals: { perSecond: 0.5, children: 0.75 },
      pieces: { least: 1, tail: 1.2, most: 60 },
      notional: { least: 220, tail: 1.35, most: 150_000 },
      limit: 400_000,
    },
    momentum: { enterBeyond: 15, leaveWithin: 5 },
    makers: EVEN_BOOK,
    patientOrders: 0.8,
    basis: undefined,
    pastVolatility: 0.0005,
  },
} as const satisfies Readonly<Record<string, Regime>>;

export type RegimeName = keyof typeof REGIMES;
export const REGIME_NAMES = Object.keys(REGIMES) as readonly RegimeName[];
/** The regime if none is named. */
export const DEFAULT_REGIME: RegimeName = 'recorded';

/** Returns how past candles move; undefined for uncorrelated markets with constant volatility. */
export function pastMovesOf({ price, pastVolatility }: Regime = REGIMES[DEFAULT_REGIME]): PastMoves | undefined {
  if (price === 'swinging') return undefined;
  return { volatilityAt: (start) => pastVolatility * factorsAtHour(start).volatility, common: price.common };
}

/** The fair price of a regime. `base` in ticks; `common` is the randomness that all markets share. */
export const fairPriceOf = ({ price }: Regime, options: { readonly base: number; readonly rng: Rng; readonly common: Rng }): FairProcess =>
  price === 'swinging' ? new SwingingPrice(options) : new RandomWalkPrice({ ...options, rules: price });
