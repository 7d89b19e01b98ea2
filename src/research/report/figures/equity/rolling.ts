// The Sharpe ratio over a rolling window.
import { DAY } from '../../../../base/spans.ts';
import { momentsOf, sharpeOf } from '../../../../base/statistics/moments.ts';
import { type Curve, type Missing, type Returns, stepsPerScale } from './curve.ts';

/** Days of a window. Over a shorter one the ratio is mostly chance: even over 30 days, the standard error of a yearly Sharpe ratio is 3.5. */
const WINDOW = 30;

/** Returns the yearly Sharpe ratio of the last 30 daily returns, at the end of each day. Missing below 60 days, because most windows would overlap. */
export function rollingSharpe(returns: Returns | Missing): Curve | Missing {
  if ('missing' in returns) return returns;
  const { values, ends, intervalMs } = returns;
  if (intervalMs !== DAY || values.length < 2 * WINDOW) return { missing: `at least ${2 * WINDOW} days are needed` };
  const times: number[] = [];
  const ratios: number[] = [];
  for (let day = WINDOW; day <= values.length; day++) {
    times.push(ends[day - 1]!);
    ratios.push(sharpeOf(momentsOf(values.slice(day - WINDOW, day))) * Math.sqrt(stepsPerScale(returns)));
  }
  return { times: Float64Array.from(times), values: Float64Array.from(ratios), end: times.at(-1)! };
}
