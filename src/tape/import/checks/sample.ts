// The least and the median of any number of values, from a bounded number of them.

/** Values kept at most; while there are fewer, the median is exact. */
const MOST_KEPT = 8_192;

export interface Sample {
  readonly add: (value: number) => void;
  readonly count: number;
  /** Of all values; undefined where there are none, as the median is. */
  readonly least: number | undefined;
  /** The lower one of the two in the middle, where the number is even. */
  readonly median: () => number | undefined;
}

/** Keeps every n-th value; n doubles whenever too many are kept. */
export function createSample(mostKept = MOST_KEPT): Sample {
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
