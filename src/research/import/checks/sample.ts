// Minimum and approximate median of any number of values, in bounded memory.

/** Maximum number of values kept. The median is exact while there are fewer. */
const MAX_KEPT = 8_192;

export interface Sample {
  readonly add: (value: number) => void;
  readonly count: number;
  /** Minimum of all values; undefined if there are none. */
  readonly least: number | undefined;
  /** Returns the median, the lower of the two middle values if the number is even; undefined if there are none. */
  readonly median: () => number | undefined;
}

/** Keeps every n-th value. n doubles whenever too many are kept. */
export function createSample(mostKept = MAX_KEPT): Sample {
  let kept: number[] = [];
  let stride = 1;
  let count = 0;
  let least: number | undefined;
  return {
    add(value) {
      if (least === undefined || value < least) least = value;
      if (count++ % stride !== 0) return;
      kept.push(value);
      if (kept.length < mostKept) return;
      kept = kept.filter((_, index) => index % 2 === 0);
      stride *= 2;
    },
    get count() {
      return count;
    },
    get least() {
      return least;
    },
    median: () => kept.toSorted((a, b) => a - b)[(kept.length - 1) >> 1],
  };
}
