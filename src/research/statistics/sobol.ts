// The Sobol sequence, a low-discrepancy sequence, in up to 20 dimensions (Joe and Kuo 2008, new-joe-kuo-6), with a digital shift.

const BITS = 32;

/** Degree, coefficients and first direction numbers of each dimension after the first. */
const DIRECTIONS: readonly (readonly [degree: number, coefficients: number, first: readonly number[]])[] = [
  [1, 0, [1]],
  [2, 1, [1, 3]],
  [3, 1, [1, 3, 1]],
  [3, 2, [1, 1, 1]],
  [4, 1, [1, 1, 3, 3]],
  [4, 4, [1, 3, 5, 13]],
  [5, 2, [1, 1, 5, 5, 17]],
  [5, 4, [1, 1, 5, 5, 5]],
  [5, 7, [1, 1, 7, 11, 19]],
  [5, 11, [1, 1, 5, 1, 1]],
  [5, 13, [1, 1, 1, 3, 11]],
  [5, 14, [1, 3, 5, 5, 31]],
  [6, 1, [1, 3, 3, 9, 7, 49]],
  [6, 13, [1, 1, 1, 15, 21, 21]],
  [6, 16, [1, 3, 1, 13, 27, 49]],
  [6, 19, [1, 1, 1, 15, 7, 5]],
  [6, 22, [1, 3, 1, 15, 13, 25]],
  [6, 25, [1, 1, 5, 5, 19, 61]],
  [7, 1, [1, 3, 7, 11, 23, 15, 103]],
];

/**
 * Yields points in 1 to 20 dimensions. `shift`: one unsigned 32-bit number per dimension, combined with every coordinate by xor; without it, the
 * sequence is as published.
 */
export function* sobol(dimensions: number, shift: readonly number[] = []): Generator<readonly number[], never> {
  const directions = Array.from({ length: dimensions }, (_, dimension) => directionNumbers(dimension));
  const state = new Uint32Array(dimensions);
  for (let index = 0; ; index++) {
    yield Array.from(state, (value, dimension) => ((value ^ (shift[dimension] ?? 0)) >>> 0) / 2 ** BITS);
    const bit = lowestZero(index);
    for (let dimension = 0; dimension < dimensions; dimension++) {
      state[dimension] = ((state[dimension] ?? 0) ^ (directions[dimension]?.[bit] ?? 0)) >>> 0;
    }
  }
}

function directionNumbers(dimension: number): Uint32Array {
  const numbers = new Uint32Array(BITS);
  const entry = dimension === 0 ? undefined : DIRECTIONS[dimension - 1];
  if (entry === undefined) return numbers.map((_, bit) => (1 << (BITS - 1 - bit)) >>> 0);
  const [degree, coefficients, first] = entry;
  for (let bit = 0; bit < BITS; bit++) {
    if (bit < degree) {
      numbers[bit] = ((first[bit] ?? 0) << (BITS - 1 - bit)) >>> 0;
      continue;
    }
    let value = (numbers[bit - degree] ?? 0) ^ ((numbers[bit - degree] ?? 0) >>> degree);
    for (let term = 1; term < degree; term++) if ((coefficients >>> (degree - 1 - term)) & 1) value ^= numbers[bit - term] ?? 0;
    numbers[bit] = value >>> 0;
  }
  return numbers;
}

function lowestZero(index: number): number {
  let bit = 0;
  while (((index >>> bit) & 1) === 1) bit++;
  return bit;
}
