// Sweeps of ten points with simulated returns, of which it is known whether they earn: noise of several kinds, an edge, and losses that are rare.
import { type Rng, rngFrom } from '../src/base/rng.ts';
import { momentsOf, sharpeOf } from '../src/base/statistics/moments.ts';
import { axesOf } from '../src/research/sweep/axes.ts';
import { pointsOf } from '../src/research/sweep/points.ts';
import type { SweepRow } from '../src/research/sweep/row.ts';
import { summaryOf } from '../src/research/sweep/summary.ts';
import { kindOfVerdict, type VerdictKind } from '../src/research/sweep/verdict.ts';

const POINTS = 10;
const STEPS = 300;
/** The point that has the edge. */
const EDGE = 4;

type Columns = readonly (readonly number[])[];

const steps = (next: () => number): readonly number[] => Array.from({ length: STEPS }, next);
const columns = (column: (point: number) => readonly number[]): Columns => Array.from({ length: POINTS }, (_, point) => column(point));

/** Student's t with three degrees of freedom. */
const heavy = (rng: Rng): number => rng.normal() / Math.sqrt((rng.normal() ** 2 + rng.normal() ** 2 + rng.normal() ** 2) / 3);

/** Returns of AR(1), in its stationary state. */
function autoregressive(rng: Rng, coefficient: number): readonly number[] {
  let value = rng.normal() / Math.sqrt(1 - coefficient ** 2);
  return steps(() => {
    value = coefficient * value + rng.normal();
    return value;
  });
}

/** Points that are alike: `shared` is their correlation, `t` the true t of each. */
function alike(rng: Rng, shared: number, t = 0): Columns {
  const common = steps(() => rng.normal());
  const own = Math.sqrt(1 - shared);
  return columns(() => common.map((value) => Math.sqrt(shared) * value + own * rng.normal() + t / Math.sqrt(STEPS)));
}

/** One of the points has a mean of `t` standard errors. */
const withEdge = (rng: Rng, t: number): Columns =>
  columns((point) => steps(() => rng.normal() + (point === EDGE ? t / Math.sqrt(STEPS) : 0)));

/** Trades in half of the steps, which win 1, and of which one in `every` loses what the others win: the true mean is 0. */
const rareLosses = (rng: Rng, every: number): Columns =>
  columns(() => steps(() => (rng.next() < 0.5 ? 0 : rng.next() < 1 / every ? 1 - every : 1)));

export const NOISE: Readonly<Record<string, (rng: Rng) => Columns>> = {
  'normal returns': (rng) => withEdge(rng, 0),
  "Student's t, 3 degrees": (rng) => columns(() => steps(() => heavy(rng))),
  'correlation 0.5': (rng) => alike(rng, 0.5),
  'correlation 0.9': (rng) => alike(rng, 0.9),
  'AR(1), 0.3': (rng) => columns(() => autoregressive(rng, 0.3)),
  'AR(1), 0.5': (rng) => columns(() => autoregressive(rng, 0.5)),
};

export const EARNING: Readonly<Record<string, (rng: Rng) => Columns>> = {
  'one point with t = 3': (rng) => withEdge(rng, 3),
  'one point with t = 4': (rng) => withEdge(rng, 4),
  'one point with t = 5': (rng) => withEdge(rng, 5),
  'ten alike points with t = 4': (rng) => alike(rng, 0.9, 4),
};

export const RARE_LOSSES: Readonly<Record<string, (rng: Rng) => Columns>> = {
  'one loss of 499 in 500 wins of 1': (rng) => rareLosses(rng, 500),
  'one loss of 49 in 50 wins of 1': (rng) => rareLosses(rng, 50),
  'one loss of 19 in 20 wins of 1': (rng) => rareLosses(rng, 20),
};

/** Returns the verdict on one sweep over such returns. */
export function verdictOn(columnsOf: (rng: Rng) => Columns, seed: string): VerdictKind {
  const axes = axesOf([`a=1:${POINTS}:1`]);
  const found = columnsOf(rngFrom(seed));
  const trials = pointsOf(axes, { seed }).map((point, index) => ({ point, row: rowOf(`${index}`, found[index] ?? []) }));
  const history = trials.map(({ row }) => row);
  return kindOfVerdict(summaryOf({ axes, trials, isGrid: true, objective: 'sharpe', walk: undefined, history, seed }).verdict) ?? 'failed';
}

/** A row with these returns, in units of a ten-thousandth of a deposit of 100,000. */
export function rowOf(key: string, units: readonly number[]): SweepRow {
  const returns = Float64Array.from(units, (value) => value * 1e-4);
  const pnl = String(returns.reduce((sum, value) => sum + value, 0) * 100_000);
  const result = { fingerprint: key, pnl, fees: '0', fills: 5, maxDrawdown: '1', sharpe: sharpeOf(momentsOf([...returns])), seconds: 1 };
  const span = '2026-01-01T00:00:00.000Z/2026-01-01T00:05:00.000Z';
  const job = { key, point: key, strategy: 'simulated', params: { a: key }, tapes: ['t'], span, stepMs: 1_000 };
  return { ...job, outcome: { kind: 'done', result, returns } };
}
