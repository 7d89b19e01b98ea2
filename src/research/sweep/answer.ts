// Finds the answer of a sweep: the best point, the point with the best neighbours, and whether the best lies at an edge of the search space.
import { edgesOf, plateauOf, type Valued } from '../statistics/plateau.ts';
import type { Axis } from './axes.ts';

export interface SweepAnswer {
  readonly best: Valued;
  /** The point with the largest mean over itself and its neighbours, and that mean. */
  readonly plateau: Valued;
  /** Names of the parameters of the best point that lie at an edge. */
  readonly edge: readonly string[];
}

/** Maximum number of parameters for which grid neighbours are listed; with more there are too many. */
const MAX_GRID_AXES = 8;
/** Number of the best points around which a plateau is searched. */
const CANDIDATES = 200;
/** Maximum relative difference between two means of the same values in another order. */
const ROUNDING = 1e-12;

/**
 * Returns the answer; undefined without points. `isGrid`: the points are a complete grid; otherwise the neighbours of a point are the nearest others.
 */
export function answerOf(points: readonly Valued[], axes: readonly Axis[], isGrid: boolean): SweepAnswer | undefined {
  const ranked = points.toSorted((a, b) => b.value - a.value);
  const [best] = ranked;
  if (best === undefined) return undefined;
  const varied = axes.filter(({ values }) => values.length > 1);
  const plateau = isGrid && varied.length <= MAX_GRID_AXES ? gridPlateau(ranked, axes) : nearestPlateau(ranked, axes);
  const ends = edgesOf(
    best,
    axes.map(({ values }) => values.length),
  );
  return { best, plateau: plateau ?? best, edge: ends.flatMap((axis) => (axes[axis]?.isNumeric === true ? [axes[axis].name] : [])) };
}

/**
 * Returns the plateau of a complete grid; among equal ones, that of the better point. Values that are not numbers have no neighbours: their indices are doubled,
 * so that no two differ by 1.
 */
function gridPlateau(ranked: readonly Valued[], axes: readonly Axis[]): Valued | undefined {
  const factors = axes.map(({ isNumeric }) => (isNumeric ? 1 : 2));
  const kept = axes.flatMap(({ values }, axis) => (values.length > 1 ? [axis] : []));
  const byScaledPoint = new Map<Valued, Valued>();
  for (const point of ranked)
    byScaledPoint.set({ at: kept.map((axis) => (point.at[axis] ?? 0) * (factors[axis] ?? 1)), value: point.value }, point);
  const found = plateauOf([...byScaledPoint.keys()]);
  const point = found === undefined ? undefined : byScaledPoint.get(found.point);
  return found === undefined || point === undefined ? undefined : { at: point.at, value: found.mean };
}

/** Returns the point with the best mean over itself and its nearest neighbours, two per axis. */
function nearestPlateau(ranked: readonly Valued[], axes: readonly Axis[]): Valued | undefined {
  const count = 1 + 2 * axes.length;
  let best: Valued | undefined;
  for (const { at } of ranked.slice(0, CANDIDATES)) {
    const near = ranked
      .map((other) => ({ value: other.value, far: distance(at, other.at, axes) }))
      .toSorted((a, b) => a.far - b.far)
      .slice(0, count);
    const mean = near.reduce((sum, { value }) => sum + value, 0) / near.length;
    if (best === undefined || mean - best.value > ROUNDING * Math.abs(best.value)) best = { at, value: mean };
  }
  return best;
}

const distance = (one: readonly number[], other: readonly number[], axes: readonly Axis[]): number =>
  axes.reduce((sum, { values, isNumeric }, axis) => {
    const steps = Math.abs((one[axis] ?? 0) - (other[axis] ?? 0));
    return sum + (isNumeric ? (steps / Math.max(1, values.length - 1)) ** 2 : Math.min(1, steps));
  }, 0);
