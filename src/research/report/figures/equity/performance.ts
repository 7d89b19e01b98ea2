// Performance figures of an equity curve: return, growth, Calmar, recovery, turnover. Pure functions, each with its formula.
// Sharpe, Sortino and volatility, and how they are annualised: `return-figures.ts`. Drawdowns: `drawdowns.ts`.
import { DAY } from '../../../../base/clock.ts';
import { type Curve, type Measure, NO_EQUITY, timeAverage, tooShortForAYear, YEAR_MS } from './curve.ts';
import { maxDrawdown } from './drawdowns.ts';

/** `equity(end) − equity(start)`. Includes unrealised profit and transfers. */
export function equityChange({ values }: Curve): Measure {
  const first = values[0];
  return first === undefined ? NO_EQUITY : { value: values.at(-1)! - first };
}

/** `equity(end) / equity(start) − 1`, not annualised. */
export function totalReturn({ values }: Curve): Measure {
  const first = values[0];
  if (first === undefined) return NO_EQUITY;
  return first > 0 ? { value: values.at(-1)! / first - 1 } : { missing: 'the run began with no equity' };
}

/** `(equity(end) / equity(start))^(year / span) − 1`, the compound annual growth rate. Missing below 30 days. */
export function annualGrowth(equity: Curve): Measure {
  const total = totalReturn(equity);
  if ('missing' in total) return total;
  const grown = 1 + total.value;
  return tooShortForAYear(equity) ?? (grown > 0 ? { value: grown ** (YEAR_MS / spanOf(equity)) - 1 } : { missing: 'all was lost' });
}

/** `annual growth / max drawdown`. Missing below 30 days. */
export const calmar = (equity: Curve): Measure => overDrawdown(annualGrowth(equity), equity);

/** `total return / max drawdown`. QuantStats takes the sum of the returns instead of their product. */
export const recoveryFactor = (equity: Curve): Measure => overDrawdown(totalReturn(equity), equity);

function overDrawdown(measure: Measure, equity: Curve): Measure {
  const drawdown = maxDrawdown(equity);
  if ('missing' in measure) return measure;
  if ('missing' in drawdown) return drawdown;
  return drawdown.fraction > 0 ? { value: measure.value / drawdown.fraction } : { missing: 'the equity never fell' };
}

/** `volume / time average of equity`, both in quote money. */
export function turnover(volume: number, equity: Curve): Measure {
  const average = timeAverage(equity);
  if ('missing' in average) return average;
  return average.value > 0 ? { value: volume / average.value } : { missing: 'the average equity is not positive' };
}

const spanOf = ({ times, end }: Curve): number => end - times[0]!;

/** `turnover / days of the run`. */
export function perDay(measure: Measure, equity: Curve): Measure {
  if ('missing' in measure) return measure;
  const days = spanOf(equity) / DAY;
  return days > 0 ? { value: measure.value / days } : { missing: 'the run had no duration' };
}
