// Rows of sweeps with given returns, and sweeps of ten points of which it is known whether one earns.
import { rngFrom } from '../../../src/base/rng.ts';
import { momentsOf, sharpeOf } from '../../../src/base/statistics/moments.ts';
import { axesOf } from '../../../src/research/sweep/axes.ts';
import { pointsOf } from '../../../src/research/sweep/points.ts';
import type { SweepRow } from '../../../src/research/sweep/row.ts';
import { summaryOf } from '../../../src/research/sweep/summary.ts';

/** A row with these returns on a deposit of 100,000. */
export function rowWith(key: string, returns: readonly number[], params: SweepRow['params'] = {}): SweepRow {
  const pnl = String(returns.reduce((sum, value) => sum + value, 0) * 100_000);
  const sharpe = sharpeOf(momentsOf(returns));
  return {
    key,
    point: key,
    strategy: 'planted',
    params,
    tapes: ['t'],
    span: '2026-01-01T00:00:00.000Z/2026-01-02T00:00:00.000Z',
    stepMs: 1_000,
    outcome: {
      kind: 'done',
      result: { fingerprint: `of ${key}`, pnl, fees: '0', fills: 5, maxDrawdown: '1', sharpe, seconds: 1 },
      returns: Float64Array.from(returns),
    },
  };
}

/** A sweep of 10 points; `edge` is the mean return of the point with that index, in standard deviations. */
export function planted(seed: string, edge?: { readonly at: number; readonly mean: number }) {
  const rng = rngFrom(seed);
  const axes = axesOf(['a=1:10:1']);
  const trials = pointsOf(axes, { seed }).map((point, index) => {
    const mean = index === edge?.at ? edge.mean : 0;
    const returns = Array.from({ length: 200 }, () => (rng.normal() + mean) * 1e-4);
    return { point, row: rowWith(`${index}`, returns, { a: index + 1 }) };
  });
  const history = trials.map(({ row }) => row);
  return summaryOf({ axes, trials, isGrid: true, objective: 'sharpe', walk: undefined, history, seed });
}

/** A sweep of 10 points whose returns are highly correlated. */
export function alike(seed: string, mean: number) {
  const rng = rngFrom(seed);
  const axes = axesOf(['a=1:10:1']);
  const common = Array.from({ length: 200 }, () => rng.normal() + mean);
  const trials = pointsOf(axes, { seed }).map((point, index) => {
    const returns = common.map((value) => (value + 0.2 * rng.normal()) * 1e-4);
    return { point, row: rowWith(`${index}`, returns, { a: index + 1 }) };
  });
  return summaryOf({ axes, trials, isGrid: true, objective: 'sharpe', walk: undefined, history: trials.map(({ row }) => row), seed });
}
