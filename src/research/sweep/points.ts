// The points of a sweep: every combination of the values of its axes, or a sample that covers them evenly.
import { UserError } from '../../base/errors.ts';
import { rngFrom } from '../../base/rng.ts';
import { sobol } from '../statistics/sobol.ts';
import type { Axis } from './axes.ts';

/** One combination of values. */
export interface Point {
  /** For each axis the index of its value. */
  readonly at: readonly number[];
}

const MAX_POINTS = 100_000;
const MAX_DIMENSIONS = 20;
/** Maximum number of draws per requested point. When few points of a grid are left, most draws repeat a point. */
const MAX_DRAWS = 64;

export const gridSize = (axes: readonly Axis[]): number => axes.reduce((size, { values }) => size * values.length, 1);

/** Returns all points of the grid, the last axis fastest, or `sample` of them if there are more. Throws a UserError if there are too many. */
export function pointsOf(axes: readonly Axis[], { sample, seed }: { sample?: number | undefined; seed: string }): readonly Point[] {
  const size = gridSize(axes);
  if (sample !== undefined && sample < size) return sampled(axes, { sample, seed });
  if (size > MAX_POINTS) throw tooMany(`the grid has ${size} points`, 'choose some of them with --sample, as in --sample 200');
  return Array.from({ length: size }, (_, index) => ({ at: positionOf(index, axes) }));
}

function positionOf(index: number, axes: readonly Axis[]): readonly number[] {
  const at: number[] = [];
  let rest = index;
  for (const { values } of axes.toReversed()) {
    at.unshift(rest % values.length);
    rest = Math.floor(rest / values.length);
  }
  return at;
}

/** Returns different points of a Sobol sequence with a digital shift from the seed. */
function sampled(axes: readonly Axis[], { sample, seed }: { sample: number; seed: string }): readonly Point[] {
  if (sample > MAX_POINTS) throw tooMany(`--sample ${sample} is too large`, `at most ${MAX_POINTS} points are possible`);
  if (axes.length > MAX_DIMENSIONS) throw tooMany(`${axes.length} parameters are varied`, `a sample varies at most ${MAX_DIMENSIONS}`);
  const rng = rngFrom(seed).fork('sweep');
  const shift = axes.map(() => Math.floor(rng.next() * 2 ** 32));
  const found = new Map<string, Point>();
  const sequence = sobol(axes.length, shift);
  for (let draw = 0; draw < sample * MAX_DRAWS && found.size < sample; draw++) {
    const at = sequence.next().value.map((share, axis) => Math.floor(share * (axes[axis]?.values.length ?? 1)));
    found.set(at.join(','), { at });
  }
  return [...found.values()];
}

/** Returns the point as `name=value` texts for `--set`. */
export const settingsOf = ({ at }: Point, axes: readonly Axis[]): readonly string[] =>
  axes.map(({ name, values }, axis) => `params.${name}=${values[at[axis] ?? 0] ?? ''}`);

const tooMany = (message: string, hint: string): UserError => new UserError({ code: 'option', message, hint });
