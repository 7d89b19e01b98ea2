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

const MOST_POINTS = 100_000;
const MOST_DIMENSIONS = 20;
/** Draws for each wanted point. When few points of a grid are left, most draws repeat a point. */
const MOST_DRAWS = 64;

export const gridSize = (axes: readonly Axis[]): number => axes.reduce((size, { values }) => size * values.length, 1);

/** All points of the grid, the last axis fastest, or `sample` of them if it has more. Throws a UserError if there are too many. */
export function pointsOf(axes: readonly Axis[], { sample, seed }: { sample?: number | undefined; seed: string }): readonly Point[] {
  const size = gridSize(axes);
  if (sample !== undefined && sample < size) return sampled(axes, { sample, seed });
  if (size > MOST_POINTS) throw tooMany(`the grid has ${size} points`, 'choose some of them with --sample, as in --sample 200');
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

/** Different points of a Sobol sequence with a digital shift that depends on the seed. */
function sampled(axes: readonly Axis[], { sample, seed }: { sample: number; seed: string }): readonly Point[] {
  if (sample > MOST_POINTS) throw tooMany(`--sample ${sample} is too large`, `at most ${MOST_POINTS} points are possible`);
  if (axes.length > MOST_DIMENSIONS) throw tooMany(`${axes.length} parameters are varied`, `a sample varies at most ${MOST_DIMENSIONS}`);
  const rng = rngFrom(seed).fork('sweep');
  const shift = axes.map(() => Math.floor(rng.next() * 2 ** 32));
  const found = new Map<string, Point>();
  const sequence = sobol(axes.length, shift);
  for (let draw = 0; draw < sample * MOST_DRAWS && found.size < sample; draw++) {
    const at = sequence.next().value.map((share, axis) => Math.floor(share * (axes[axis]?.values.length ?? 1)));
    found.set(at.join(','), { at });
  }
  return [...found.values()];
}

/** The point as `name=value` texts for `--set`. */
export const settingsOf = ({ at }: Point, axes: readonly Axis[]): readonly string[] =>
  axes.map(({ name, values }, axis) => `params.${name}=${values[at[axis] ?? 0] ?? ''}`);

const tooMany = (message: string, hint: string): UserError => new UserError({ code: 'option', message, hint });
