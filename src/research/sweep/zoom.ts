// Zoom: after a sample of the whole space, samples a shrinking box around the best points.
import { rngFrom } from '../../base/rng.ts';
import type { Valued } from '../statistics/plateau.ts';
import { sobol } from '../statistics/sobol.ts';
import type { Axis } from './axes.ts';
import type { Point } from './points.ts';

export const ZOOM_ROUNDS = 3;
/** Share of the points in the first sample; the rounds share the rest. */
const FIRST_SHARE = 0.4;
/** Length of each box along a parameter, as a share of the previous one. */
const SHRINKING = 0.71;
const BEST = 5;
const MAX_DRAWS = 64;

/** Returns the number of points in the first sample. */
export const firstSampleSize = (points: number): number => Math.max(1, Math.round(points * FIRST_SHARE));

/** Returns the number of points in a round; rounds count from 1. */
export function roundSize(points: number, round: number): number {
  const rest = points - firstSampleSize(points);
  return Math.floor((rest * round) / ZOOM_ROUNDS) - Math.floor((rest * (round - 1)) / ZOOM_ROUNDS);
}

/** Returns the middle of the best five points, as a share of each parameter's values, 0 to 1. */
function middleShares(points: readonly Valued[], axes: readonly Axis[]): readonly number[] {
  const best = points.toSorted((a, b) => b.value - a.value).slice(0, BEST);
  return axes.map(({ values, isNumeric }, axis) => {
    if (!isNumeric) return ((best[0]?.at[axis] ?? 0) + 0.5) / values.length;
    return best.reduce((sum, { at }) => sum + ((at[axis] ?? 0) + 0.5) / values.length, 0) / best.length;
  });
}

/** Returns the point in the middle of the best five; for parameters without order, the value of the best. */
export const middlePoint = (points: readonly Valued[], axes: readonly Axis[]): Point => ({
  at: middleShares(points, axes).map((share, axis) => indexAt(share, axes[axis])),
});

/** Returns new points of a round; fewer than `count` if the box has no more. */
export function zoomPoints(
  known: readonly Valued[],
  axes: readonly Axis[],
  { round, count, seed }: { round: number; count: number; seed: string },
): readonly Point[] {
  const rng = rngFrom(seed).fork(`zoom ${round}`);
  const shift = axes.map(() => Math.floor(rng.next() * 2 ** 32));
  const centre = middleShares(known, axes);
  const taken = new Set(known.map(({ at }) => at.join(',')));
  const found = new Map<string, Point>();
  const sequence = sobol(axes.length, shift);
  for (let draw = 0; draw < count * MAX_DRAWS && found.size < count; draw++) {
    const at = sequence
      .next()
      .value.map((share, axis) => indexAt(inBox(share, { centre: centre[axis] ?? 0.5, round, axis: axes[axis] }), axes[axis]));
    if (!taken.has(at.join(','))) found.set(at.join(','), { at });
  }
  return [...found.values()];
}

/** Converts a share of the box to a share of the space. A box beyond the edge is moved inside. */
function inBox(share: number, { centre, round, axis }: { centre: number; round: number; axis: Axis | undefined }): number {
  if (axis?.isNumeric !== true) return share;
  const side = SHRINKING ** round;
  return Math.min(Math.max(centre - side / 2, 0), 1 - side) + share * side;
}

const indexAt = (share: number, axis: Axis | undefined): number =>
  Math.min((axis?.values.length ?? 1) - 1, Math.floor(share * (axis?.values.length ?? 1)));
