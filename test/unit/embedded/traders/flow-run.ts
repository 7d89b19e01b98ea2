// A flow that trades on the naive exchange, with a sample of the market after every step.
import { assert } from '../../../../src/base/errors.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import { Market } from '../../../../src/bot/domain/market.ts';
import type { Ticks } from '../../../../src/bot/domain/numbers.ts';
import { flowNamed } from '../../../../src/embedded/exchange/traders/flow.ts';
import type { MarketFlow } from '../../../../src/embedded/exchange/traders/flow-port.ts';
import type { RegimeName } from '../../../../src/embedded/exchange/traders/regimes.ts';
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
export interface Sample {
  readonly bid: Ticks;
  readonly ask: Ticks;
  readonly mid: number;
  readonly index: Ticks;
  readonly indexConf: Ticks;
  readonly levels: number;
}

export interface FlowRun {
  readonly port: NaivePort;
  readonly flow: MarketFlow;
  readonly samples: readonly Sample[];
}

interface FlowRunOptions {
  readonly seed: string;
  readonly seconds: number;
  readonly regime?: RegimeName;
  /** Seed of the randomness that all markets share. Default: this market has its own. */
  readonly news?: string;
  readonly interfere?: (port: NaivePort, second: number) => void;
}

/** Runs the flow. The regime is `swinging` by default. `interfere` acts for foreign accounts before each step. */
export function runFlow(
  listing: Listing,
  { seed, seconds, regime = 'swinging', news = `news of ${seed}`, interfere }: FlowRunOptions,
): FlowRun {
  const market = marketOf(listing);
  const rng = rngFrom(seed);
  const flow = flowNamed(regime)({ rng, common: rngFrom(news), market, basePrice: listing.basePrice });
  const port = new NaivePort(market);
  const samples: Sample[] = [];
  for (let step = 0; step < seconds * 10; step++) {
    port.now = step * 100;
    interfere?.(port, step / 10);
    flow.step(port);
    samples.push(sampleOf(port, flow));
  }
  return { port, flow, samples };
}

function sampleOf(port: NaivePort, { index, indexConf }: MarketFlow): Sample {
  const [bid, ask] = [port.best('bid'), port.best('ask')];
  assert(bid !== undefined && ask !== undefined, `a side is empty at ${port.now} ms`);
  return { bid, ask, mid: (bid + ask) / 2, index, indexConf, levels: Math.min(port.levels('bid'), port.levels('ask')) };
}

/** The value below which this share of all values lies. */
export function quantile(values: readonly number[], share: number): number {
  const found = [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];
  assert(found !== undefined, 'no values');
  return found;
}

/** The range (highest over lowest, in basis points) of each consecutive stretch of `length` values. */
export function ranges(values: readonly number[], length: number): readonly number[] {
  const count = Math.floor(values.length / length);
  return Array.from({ length: count }, (_, nth) => {
    const stretch = values.slice(nth * length, (nth + 1) * length);
    return (Math.max(...stretch) / Math.min(...stretch) - 1) * 1e4;
  });
}

/** Volatility of prices that are 0.1 s apart, from returns over whole seconds, in basis points per square-root second. */
export function volatility(prices: readonly number[]): number {
  const seconds = prices.filter((_, step) => step % 10 === 0);
  const squares = seconds.slice(1).map((price, nth) => (Math.log(price / (seconds[nth] ?? price)) * 1e4) ** 2);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}
