// Checks whether the best point of a search has good neighbours, and whether it lies at an edge of the search space.

/** A point by the index of each parameter's value in its list, and its figure. */
export interface Valued {
  readonly at: readonly number[];
  readonly value: number;
}

export interface Plateau {
  readonly point: Valued;
  /** The mean over the point and its neighbours on the grid. */
  readonly mean: number;
}

/**
 * Returns the point with the largest mean over itself and its neighbours, which differ by at most one step in each parameter. Undefined without
 * points.
 */
export function plateauOf(points: readonly Valued[]): Plateau | undefined {
  const byKey = new Map(points.map((point) => [point.at.join(','), point]));
  let best: Plateau | undefined;
  for (const point of points) {
    const around = neighbourKeys(point.at).flatMap((key) => byKey.get(key) ?? []);
    const mean = around.reduce((sum, { value }) => sum + value, 0) / around.length;
    if (best === undefined || mean > best.mean) best = { point, mean };
  }
  return best;
}

/** Returns the keys of the point and its neighbours. */
function neighbourKeys(at: readonly number[]): readonly string[] {
  let keys: readonly string[] = [''];
  for (const [axis, index] of at.entries()) {
    const before = axis === 0 ? '' : ',';
    keys = keys.flatMap((key) => [-1, 0, 1].map((step) => `${key}${before}${index + step}`));
  }
  return keys;
}

/**
 * Returns the parameters of a point that lie at an edge of the search space; `sizes`: the number of values of each. A parameter with one value has no
 * edge.
 */
export const edgesOf = ({ at }: Valued, sizes: readonly number[]): readonly number[] =>
  at.flatMap((index, axis) => ((sizes[axis] ?? 0) > 1 && (index === 0 || index === (sizes[axis] ?? 0) - 1) ? [axis] : []));
