// Zoom: after a sample that covers the whole space, samples of a box around the best points, which gets smaller each time.
import { rngFrom } from '../../base/rng.ts';
import type { Valued } from '../statistics/plateau.ts';
import { sobol } from '../statistics/sobol.ts';
import type { Axis } from './axes.ts';
import type { Point } from './points.ts';

export const ZOOM_ROUNDS = 3;
/** The share of the points in the first sample; the rounds share the rest. */
const FIRST_SHARE = 0.4;
/** The length of each box along a parameter, as a share of the one before. */
const SHRINKING = 0.71;
const BEST = 5;
const MOST_DRAWS = 64;

/** How many points the first sample has. */
export const firstOf = (points: number): number => Math.max(1, Math.round(points * FIRST_SHARE));

/** How many points a round has; rounds count from 1. */
export function countOfRound(points: number, round: number): number {
  const rest = points - firstOf(points);
  return Math.floor((rest * round) / ZOOM_ROUNDS) - Math.floor((rest * (round - 1)) / ZOOM_ROUNDS);
}

/** The middle of the best five points, as a share of each parameter's values, 0 to 1. */
function middleShares(points: readonly Valued[], axes: readonly Axis[]): readonly number[] {
  const best = points.toSorted((a, b) => b.value - a.value).slice(0, BEST);
  return axes.map(({ values, isNumeric }, axis) => {
    if (!isNumeric) return ((best[0]?.at[axis] ?? 0) + 0.5) / values.length;
    return best.reduce((sum, { at }) => sum + ((at[axis] ?? 0) + 0.5) / values.length, 0) / best.length;
  });
}

/** The point in the middle of the best five; of parameters without order, the value of the best. */
export const middleOf = (points: readonly Valued[], axes: readonly Axis[]): Point => ({
  at: middleShares(points, axes).map((share, axis) => indexAt(share, axes[axis])),
});

/** The points of a round that are not among the known ones: fewer than `count` if the box has no more. */
export function zoomed(
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
  for (let draw = 0; draw < count * MOST_DRAWS && found.size < count; draw++) {
    const at = sequence
      .next()
      .value.map((share, axis) => indexAt(inBox(share, { centre: centre[axis] ?? 0.5, round, axis: axes[axis] }), axes[axis]));
    if (!taken.has(at.join(','))) found.set(at.join(','), { at });
  }
  return [...found.values()];
}

/** A share of the box as a share of the whole. A box at the end of the space is moved into it. */
function inBox(share: number, { centre, round, axis }: { centre: number; round: number; axis: Axis | undefined }): number {
  if (axis?.isNumeric !== true) return share;
  const side = SHRINKING ** round;
  return Math.min(Math.max(centre - side / 2, 0), 1 - side) + share * side;
}

const indexAt = (share: number, axis: Axis | undefined): number =>
  Math.min((axis?.values.length ?? 1) - 1, Math.floor(share * (axis?.values.length ?? 1)));
