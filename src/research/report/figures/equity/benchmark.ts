// The benchmark: buying the run's markets once at the start and holding them. Also compares the run with this benchmark.
import { momentsOf } from '../../../../base/statistics/moments.ts';
import { ticks } from '../../../../bot/domain/numbers.ts';
import type { MarketSeries } from '../report-collector.ts';
import { type Curve, type Measure, type Missing, type Returns, returnsOf, stepsPerScale } from './curve.ts';
import { maxDrawdown } from './drawdowns.ts';
import { totalReturn } from './performance.ts';
import { type AgainstMarket, againstMarket } from './return-figures.ts';

export interface BenchmarkFigures {
  /** `last mid / first mid − 1`, the mean over the markets. Without fees and funding. */
  readonly totalReturn: Measure;
  readonly maxDrawdown: Measure;
  /** The returns of the run against those of the market at the same steps. */
  readonly against: AgainstMarket | Missing;
}

/** Returns the value of 1 quote token that bought equal parts of the markets at their first mid prices, at the times of `equity`; undefined without prices. */
export function holdCurve(markets: readonly MarketSeries[], equity: Curve): Curve | undefined {
  const priced = markets.filter(({ tops }) => tops.count > 0);
  if (priced.length === 0 || equity.times.length === 0) return undefined;
  const values = new Float64Array(equity.times.length);
  for (const { market, tops } of priced) {
    const [bids, asks] = [tops.column('bid'), tops.column('ask')];
    const midAt = (row: number): number => market.price(ticks(bids[row]! + asks[row]!)) / 2;
    const first = midAt(0);
    let row = 0;
    for (let at = 0; at < values.length; at++) {
      while (row + 1 < tops.count && tops.times[row + 1]! <= equity.times[at]!) row++;
      values[at]! += midAt(row) / first / priced.length;
    }
  }
  return { times: equity.times, values, end: equity.end };
}

/**
 * Returns the benchmark with its moves scaled so that its volatility is that of the run: each move times `deviation of the run's returns / deviation of
 * the market's`. Undefined if one of them has no returns, or the market did not move.
 */
export function atRiskOf(equity: Curve, hold: Curve): Curve | undefined {
  const [run, market] = [returnsOf(equity), returnsOf(hold)];
  if ('missing' in run || 'missing' in market) return undefined;
  const [ours, theirs] = [momentsOf(run.values).deviation, momentsOf(market.values).deviation];
  if (!(theirs > 0)) return undefined;
  const values = new Float64Array(hold.values.length);
  for (let at = 0; at < values.length; at++) {
    const move = at === 0 ? 0 : hold.values[at]! / hold.values[at - 1]! - 1;
    values[at] = Math.max(0, (values[at - 1] ?? hold.values[0]!) * (1 + (ours / theirs) * move));
  }
  return { ...hold, values };
}

export function benchmarkFigures(hold: Curve | undefined, returns: Returns | Missing): BenchmarkFigures {
  if (hold === undefined) return { totalReturn: NO_PRICE, maxDrawdown: NO_PRICE, against: NO_PRICE };
  const drawdown = maxDrawdown(hold);
  return {
    totalReturn: totalReturn(hold),
    maxDrawdown: 'missing' in drawdown ? drawdown : { value: drawdown.fraction },
    against: against(returns, returnsOf(hold)),
  };
}

function against(returns: Returns | Missing, market: Returns | Missing): AgainstMarket | Missing {
  if ('missing' in returns) return returns;
  if ('missing' in market) return market;
  return againstMarket(returns.values, market.values, stepsPerScale(returns)) ?? { missing: 'the market did not move' };
}

const NO_PRICE: Missing = { missing: 'no order book was seen' };
