// The statistics of sweeps against published numbers, and against numbers that are equal in Python and JavaScript.
import { describe, expect, test } from 'vitest';
import { momentsOf, probabilisticSharpe, sharpeError, sharpeOf } from '../../../src/base/statistics/moments.ts';
import { normalCdf, normalQuantile, studentCdf, studentQuantile } from '../../../src/base/statistics/normal.ts';
import { blockLength, longRunVariance } from '../../../src/research/statistics/long-run.ts';
import { overfitting } from '../../../src/research/statistics/overfitting.ts';
import { edgesOf, plateauOf } from '../../../src/research/statistics/plateau.ts';
import { rankAgreement, ranksOf } from '../../../src/research/statistics/ranks.ts';
import { deflatedSharpe, effectiveTrials, expectedMaximum, minimumTrackRecord } from '../../../src/research/statistics/sharpe.ts';
import { sobol } from '../../../src/research/statistics/sobol.ts';
import { drawIndices, superiority } from '../../../src/research/statistics/superior.ts';

const SERIES_A = [
  0.012, -0.004, 0.007, 0.001, -0.011, 0.018, 0.003, -0.006, 0.009, -0.002, 0.004, 0.015, -0.019, 0.006, 0.002, -0.001, 0.01, -0.008, 0.005,
  0.011, -0.003, 0.0, 0.008, -0.005,
];
const MATRIX_B = Array.from({ length: 16 }, (_, t) =>
  Array.from({ length: 5 }, (__, n) => (((7 * t + 13 * n + t * t * n) % 19) - 9) / 1000),
);

/** The random number generator of the published numbers. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = Number((1664525n * BigInt(state) + 1013904223n) % 2n ** 32n);
    return state / 2 ** 32;
  };
}

function matrixC(added = 0): number[][] {
  const uniform = generator(2026);
  const entry = (): number => (Array.from({ length: 12 }, uniform).reduce((sum, value) => sum + value, 0) - 6) * 0.01;
  return Array.from({ length: 480 }, () => Array.from({ length: 20 }, (_, n) => entry() + (n === 7 ? added : 0)));
}

const close = (value: number, expected: number, digits = 10): void => expect(value).toBeCloseTo(expected, digits);

describe('distributions', () => {
  test('the normal distribution and its inverse', () => {
    for (const [x, p] of [
      [0, 0.5],
      [1, 0.841344746068543],
      [-1.96, 0.02499789514822],
      [3.5, 0.999767370920964],
      [-6, 9.86587645037698e-10],
    ] as const) {
      close(normalCdf(x) / p, 1, 12);
      close(normalQuantile(p), x, 12);
    }
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity]);
  });

  test("Student's t and its inverse", () => {
    close(studentCdf(2, 10), 0.963305982614, 10);
    close(studentQuantile(0.975, 10), 2.228138851965, 10);
    close(studentCdf(-1.5, 239), 1 - studentCdf(1.5, 239), 13);
  });
});

describe('Sharpe ratios', () => {
  const moments = momentsOf(SERIES_A);

  test('moments', () => {
    close(moments.mean, 0.00216666666667, 13);
    close(moments.deviation, 0.0086560693292, 13);
    close(moments.skewness, -0.362781745113);
    close(moments.kurtosis, 2.945483727351);
    close(sharpeOf(moments), 0.250306066676);
    close(sharpeError(moments), 0.220796889889);
  });

  test('PSR and the track record it needs', () => {
    close(probabilisticSharpe(moments), 0.871528993366);
    close(probabilisticSharpe(moments, 0.1), 0.751983124179);
    close(probabilisticSharpe({ ...moments, skewness: 0, kurtosis: 3 }), 0.881407794937);
    close(minimumTrackRecord(moments), 49.42007987231, 9);
    expect(minimumTrackRecord(moments, { benchmark: 1 })).toBe(Infinity);
  });

  test.each([
    [2, 0.519755344281],
    [5, 1.192594001015],
    [10, 1.574598301346],
    [45, 2.235640177766],
    [100, 2.530602893202],
    [1000, 3.255121513653],
  ])('the largest of %i without skill', (trials, expected) => close(expectedMaximum(trials), expected));

  test('DSR', () => {
    close(deflatedSharpe(moments, { trials: 10, variance: 0.01 }), 0.662941777984);
    close(deflatedSharpe(moments, { trials: 100, variance: 0.01 }), 0.495023719);
  });

  test('the published example of Bailey and López de Prado 2014', () => {
    const step = Math.sqrt(250);
    const published = { count: 1250, mean: 2.5 / step, deviation: 1, skewness: -3, kurtosis: 10 };
    close(deflatedSharpe(published, { trials: 100, variance: 0.5 / 250 }), 0.900396834449);
    close(deflatedSharpe(published, { trials: 46, variance: 0.5 / 250 }), 0.950501706876);
  });

  test('the published example of Bailey and López de Prado 2012', () => {
    const published = { count: 24, mean: 0.458, deviation: 1, skewness: -2.448, kurtosis: 10.164 };
    close(probabilisticSharpe(published), 0.913361083861);
    close(probabilisticSharpe({ ...published, skewness: 0, kurtosis: 3 }), 0.981674919091);
  });

  test('independent trials', () => {
    const columns = [0, 1, 2, 3, 4].map((n) => MATRIX_B.map((row) => row[n] ?? 0));
    close(effectiveTrials(columns), 4.016197470595);
  });
});

describe('overfitting', () => {
  test('a small matrix', () => {
    const { choices, pbo, meanLogit, lossShare } = overfitting(MATRIX_B, 4);
    expect(choices).toBe(6);
    close(pbo, 2 / 3);
    close(meanLogit, -0.420954774051);
    close(lossShare, 5 / 6);
  });

  test('noise', () => {
    const [first = []] = matrixC();
    for (const [at, value] of [-0.013644141625, 0.004285449129, -0.005312639917].entries()) close(first[at] ?? 0, value, 11);
    const { choices, pbo, meanLogit, lossShare } = overfitting(matrixC(), 16);
    expect(choices).toBe(12_870);
    close(pbo, 0.384848484848);
    close(meanLogit, 0.317640782053);
    close(lossShare, 0.3668997669);
  });

  test('noise with one profitable trial', () => {
    const { pbo, meanLogit, lossShare } = overfitting(matrixC(0.002), 16);
    expect([pbo, lossShare]).toEqual([0, 0]);
    close(meanLogit, Math.log(20));
  });
});

describe('superior to the benchmark', () => {
  test.each([
    ['B', MATRIX_B, 200, 0.25, 7, [0.905, 0.78, 0.9, 0.905], 0.050505774604],
    ['C', matrixC(), 1000, 0.1, 99, [0.192, 0.065, 0.1, 0.102], 2.550354982491],
    ['D', matrixC(0.002), 1000, 0.1, 99, [0, 0, 0, 0], 7.569007568205],
  ] as const)('%s', (_, rows, resamples, restartProbability, seed, expected, t) => {
    const found = superiority(rows, { resamples, restartProbability, uniform: generator(seed) });
    expect([found.realityCheck, found.lower, found.consistent, found.upper]).toEqual(expected);
    close(found.t, t);
  });

  test('draws the published indices', () => {
    const indices = new Int32Array(480);
    drawIndices(indices, { restartProbability: 0.1, uniform: generator(99) });
    expect(Array.from(indices).slice(0, 8)).toEqual([131, 132, 133, 134, 135, 136, 162, 163]);
  });
});

/** AR(1) with the coefficient 0.6, or noise. */
const series = (coefficient: number): readonly number[] => {
  const uniform = generator(2026);
  let value = 0;
  return Array.from({ length: 400 }, () => {
    value = coefficient * value + Array.from({ length: 12 }, uniform).reduce((sum, one) => sum + one, 0) - 6;
    return value;
  });
};

describe('autocorrelation', () => {
  test('the long-run variance is that of the autoregression that statsmodels 0.14 finds', () => {
    close(longRunVariance(series(0.6)), 6.151458576354697);
    close(longRunVariance(series(0)), 1.0036264567352295); // order 0: the variance
    expect(longRunVariance([1, 1, 1])).toBe(0);
  });

  test('is at least the variance', () => {
    const alternating = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? 1 : -1) + (at % 7) / 10);
    const { deviation } = momentsOf(alternating);
    close(longRunVariance(alternating), (deviation ** 2 * 99) / 100);
  });

  test('the length of the blocks follows it', () => {
    close(blockLength(series(0.6)), 8.96, 1); // the package arch 8.0.0 begins its search one lag later, and finds 8.958
    expect(blockLength(series(0))).toBeLessThan(2);
    expect(blockLength([1, 1, 1])).toBe(1);
  });

  test('is known to the test of superiority: the p-value on noise with autocorrelation is larger', () => {
    const own = series(0.6);
    const column = own.map((value) => value - momentsOf(own).mean + 0.2);
    const rows = column.map((value) => [value]);
    const p = (deviations?: readonly number[]): number =>
      superiority(rows, {
        resamples: 500,
        restartProbability: 1 / blockLength(column),
        uniform: generator(7),
        ...(deviations && { deviations }),
      }).consistent;
    expect(p([Math.sqrt(longRunVariance(column))])).toBeGreaterThan(p());
  });
});

describe('ranks', () => {
  test('of equal values, and their agreement over folds', () => {
    expect(rankAgreement(['12345', '21354', '13245', '12435'].map((ranks) => Array.from(ranks, Number)))).toBe(0.8125);
    expect(ranksOf([3, 1, 3, 2])).toEqual([3.5, 1, 3.5, 2]);
  });
});

describe('plateau', () => {
  const grid = [0, 1, 2, 3, 4].flatMap((i) =>
    [0, 1, 2, 3, 4].map((j) => ({ at: [i, j], value: i === 4 && j === 0 ? 12 : 10 - (i - 2) ** 2 - (j - 2) ** 2 })),
  );

  test('prefers a good neighbourhood to a single peak', () => {
    const plateau = plateauOf(grid);
    expect(plateau?.point.at).toEqual([2, 2]);
    close(plateau?.mean ?? 0, 8.666667, 6);
  });

  test('returns the parameters at an edge of the search space', () => {
    expect(edgesOf({ at: [4, 0], value: 12 }, [5, 5])).toEqual([0, 1]);
    expect(edgesOf({ at: [2, 0], value: 12 }, [5, 1])).toEqual([]);
  });
});

describe('Sobol points', () => {
  test('equal the published ones', () => {
    const points = sobol(6);
    expect(Array.from({ length: 8 }, () => points.next().value)).toEqual([
      [0, 0, 0, 0, 0, 0],
      [0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25, 0.25, 0.75, 0.75],
      [0.25, 0.75, 0.75, 0.75, 0.25, 0.25],
      [0.375, 0.375, 0.625, 0.875, 0.375, 0.125],
      [0.875, 0.875, 0.125, 0.375, 0.875, 0.625],
      [0.625, 0.125, 0.875, 0.625, 0.625, 0.875],
      [0.125, 0.625, 0.375, 0.125, 0.125, 0.375],
    ]);
  });

  test('fill every dimension evenly', () => {
    const points = sobol(
      20,
      Array.from({ length: 20 }, (_, at) => (at * 2654435761) >>> 0),
    );
    const first = Array.from({ length: 256 }, () => points.next().value);
    for (let dimension = 0; dimension < 20; dimension++) {
      expect(new Set(first.map((point) => Math.floor((point[dimension] ?? 0) * 256))).size).toBe(256);
    }
  });
});
