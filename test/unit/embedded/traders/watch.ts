// A flow run against the naive exchange, and what is recorded after every step.
import { assert } from '../../../../src/base/assert.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import { Market } from '../../../../src/domain/market.ts';
import type { Ticks } from '../../../../src/domain/numbers.ts';
import { flowNamed } from '../../../../src/embedded/traders/flow.ts';
import type { MarketFlow } from '../../../../src/embedded/traders/flow-port.ts';
import type { RegimeName } from '../../../../src/embedded/traders/regimes.ts';
import { NaivePort } from './naive-port.ts';

export interface Listing {
  readonly symbol: string;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  readonly basePrice: number;
}

export const BTC: Listing = { symbol: 'BTCUSDC', priceDecimals: 1, sizeDecimals: 4, basePrice: 60_000 };
export const SOL: Listing = { symbol: 'SOLUSDC', priceDecimals: 2, sizeDecimals: 2, basePrice: 150 };

export const marketOf = ({ symbol, priceDecimals, sizeDecimals }: Listing): Market =>
  new Market({
    id: 0,
    symbol,
    kind: 'perp',
    baseTokenId: 1,
    quoteTokenId: 0,
    priceDecimals,
    sizeDecimals,
    imf: 0.05,
    cmf: 0.03,
    mmf: 0.02,
  });

/** Prices in ticks. */
export interface Sight {
  readonly bid: Ticks;
  readonly ask: Ticks;
  readonly mid: number;
  readonly index: Ticks;
  readonly indexConf: Ticks;
  readonly levels: number;
}

export interface Watched {
  readonly port: NaivePort;
  readonly flow: MarketFlow;
  readonly sights: readonly Sight[];
}

interface WatchOptions {
  readonly seed: string;
  readonly seconds: number;
  readonly regime?: RegimeName;
  /** Seed of what all markets share; default: of this one alone. */
  readonly news?: string;
  readonly meddle?: (port: NaivePort, second: number) => void;
}

/** Of the regime `swinging` by default. `meddle` acts for foreign accounts before each step. */
export function watch(listing: Listing, { seed, seconds, regime = 'swinging', news = `news of ${seed}`, meddle }: WatchOptions): Watched {
  const market = marketOf(listing);
  const rng = rngFrom(seed);
  const flow = flowNamed(regime)({ rng, common: rngFrom(news), market, basePrice: listing.basePrice });
  const port = new NaivePort(market);
  const sights: Sight[] = [];
  for (let step = 0; step < seconds * 10; step++) {
    port.now = step * 100;
    meddle?.(port, step / 10);
    flow.step(port);
    sights.push(look(port, flow));
  }
  return { port, flow, sights };
}

function look(port: NaivePort, { index, indexConf }: MarketFlow): Sight {
  const [bid, ask] = [port.best('bid'), port.best('ask')];
  assert(bid !== undefined && ask !== undefined, `a side is empty at ${port.now} ms`);
  return { bid, ask, mid: (bid + ask) / 2, index, indexConf, levels: Math.min(port.levels('bid'), port.levels('ask')) };
}

/** The value that this share of all values is below. */
export function quantile(values: readonly number[], share: number): number {
  const found = [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];
  assert(found !== undefined, 'no values');
  return found;
}

/** Highest over lowest, in basis points, of each stretch of `length` values, one after another. */
export function ranges(values: readonly number[], length: number): readonly number[] {
  const count = Math.floor(values.length / length);
  return Array.from({ length: count }, (_, nth) => {
    const stretch = values.slice(nth * length, (nth + 1) * length);
    return (Math.max(...stretch) / Math.min(...stretch) - 1) * 1e4;
  });
}

/** Of prices a tenth of a second apart, measured over whole seconds, in basis points per square-root second. */
export function volatility(prices: readonly number[]): number {
  const seconds = prices.filter((_, step) => step % 10 === 0);
  const squares = seconds.slice(1).map((price, nth) => (Math.log(price / (seconds[nth] ?? price)) * 1e4) ** 2);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}
