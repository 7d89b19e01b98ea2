// A custom market, as in a market file: a named regime with a few changed figures.
import type { MakerStyle } from './maker-styles.ts';
import { DEFAULT_REGIME, REGIMES, type Regime, type RegimeName } from './regimes.ts';

/** Absent fields are as in the regime `like`. */
export interface MarketRules {
  /** Default: the default regime. */
  readonly like?: RegimeName | undefined;
  /** Typical volatility, basis points per square-root second; jumps and jitter grow with it. */
  readonly volatility?: number | undefined;
  readonly takers?: TakerRules | undefined;
  readonly book?: BookRules | undefined;
  /** Mean distance of a perpetual from its index, basis points. */
  readonly basis?: number | undefined;
}

interface TakerRules {
  /** Arrivals a second that no earlier arrival caused. */
  readonly perSecond?: number | undefined;
  /** Quote money of the smallest piece; larger ones scale with it. */
  readonly leastNotional?: number | undefined;
}

/** Factors of the regime's own figures. */
interface BookRules {
  /** Factor of the money in the queue at the best price. */
  readonly best?: number | undefined;
  /** Factor of the money just behind the best price. */
  readonly behind?: number | undefined;
  /** Factor of the share of quotes that makers renew although they are right. */
  readonly flicker?: number | undefined;
}

/** The makers in the queue at the best price, and those just behind it. */
const AT_BEST = 'touch';
const BEHIND = 'behind';

/** Returns the regime with the changes; undefined for `swinging`, whose rules have no such figures. */
export function regimeWith({ like = DEFAULT_REGIME, volatility, takers = {}, book = {}, basis }: MarketRules): Regime | undefined {
  const regime: Regime = REGIMES[like];
  const { price, noise } = regime;
  if (price === 'swinging') return undefined;
  const wider = (volatility ?? price.volatility) / price.volatility;
  const larger = (takers.leastNotional ?? noise.notional.least) / noise.notional.least;
  const { least, tail, most } = noise.notional;
  return {
    ...regime,
    price: {
      ...price,
      volatility: price.volatility * wider,
      jumps: { ...price.jumps, size: price.jumps.size * wider },
      jitter: { ...price.jitter, deviation: price.jitter.deviation * wider },
    },
    noise: {
      ...noise,
      arrivals: { ...noise.arrivals, perSecond: takers.perSecond ?? noise.arrivals.perSecond },
      notional: { least: least * larger, tail, most: most * larger },
      limit: noise.limit * Math.max(1, larger),
    },
    makers: regime.makers.map((style) => makerWith(style, book)),
    basis: basis === undefined || regime.basis === undefined ? regime.basis : { ...regime.basis, mean: basis },
    pastVolatility: regime.pastVolatility * wider,
  };
}

function makerWith(style: MakerStyle, { best = 1, behind = 1, flicker = 1 }: BookRules): MakerStyle {
  const factors: Readonly<Record<string, number>> = { [AT_BEST]: best, [BEHIND]: behind };
  const factor = factors[style.name] ?? 1;
  const { notionals, limit, renewal } = style;
  return {
    ...style,
    notionals: { ...notionals, first: notionals.first * factor },
    limit: limit * Math.max(1, factor),
    ...(renewal !== undefined && { renewal: Math.min(1, renewal * flicker) }),
  };
}
