// A sweep without its backtests: points, answer, store and verdict on planted results.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { momentsOf, sharpeOf } from '../../../src/base/statistics/moments.ts';
import { answerOf } from '../../../src/research/sweep/answer.ts';
import { axesOf } from '../../../src/research/sweep/axes.ts';
import { EquityCurve, stepFor } from '../../../src/research/sweep/equity.ts';
import { pointsOf, settingsOf } from '../../../src/research/sweep/points.ts';
import type { Row } from '../../../src/research/sweep/row.ts';
import { ResultStore } from '../../../src/research/sweep/store.ts';
import { summaryOf } from '../../../src/research/sweep/summary.ts';
import { walkForward, windowsOf } from '../../../src/research/sweep/walk.ts';

const valuesOf = (text: string): readonly string[] | undefined => axesOf([text])[0]?.values;

describe('the values of a parameter', () => {
  test('a range counts in its last decimal and ends where the step does', () => {
    expect(valuesOf('a=2:8:2')).toEqual(['2', '4', '6', '8']);
    expect(valuesOf('a=0.1:0.7:0.1')).toEqual(['0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7']);
    expect(valuesOf('a=1:2:0.4')).toEqual(['1', '1.4', '1.8']);
    expect(valuesOf('a=-2:2:2')).toEqual(['-2', '0', '2']);
  });

  test('a list of numbers is sorted and has each once; other texts stay as they are', () => {
    expect(valuesOf('a=8,3,5,3.0')).toEqual(['3', '5', '8']);
    expect(axesOf(['mode=fast,slow'])[0]).toEqual({ name: 'mode', values: ['fast', 'slow'], isNumeric: false });
  });

  test.each(['a', 'a=', '=1', 'a=1,,2', 'a=5:1:1', 'a=1:5:0', 'a=1:5:-1', 'a=0:1:0.0000001'])('%s is refused', (text) => {
    expect(() => axesOf([text])).toThrow(UserError);
  });

  test('one parameter cannot be given twice', () => {
    expect(() => axesOf(['a=1', 'a=2'])).toThrow('--param a was given twice');
  });
});

describe('points', () => {
  const axes = axesOf(['a=1:4:1', 'b=1,2', 'c=x,y']);

  test('are every combination, each once', () => {
    const texts = pointsOf(axes, { seed: 's' }).map((point) => settingsOf(point, axes).join(' '));
    expect(texts.length).toBe(16);
    expect(new Set(texts).size).toBe(16);
    expect(texts.slice(0, 3)).toEqual([
      'params.a=1 params.b=1 params.c=x',
      'params.a=1 params.b=1 params.c=y',
      'params.a=1 params.b=2 params.c=x',
    ]);
  });

  test('a sample has as many different points as were asked for, spread over every axis, and depends on the seed', () => {
    const wide = axesOf(['a=1:64:1', 'b=1:64:1']);
    const sample = pointsOf(wide, { sample: 64, seed: 'one' });
    expect(new Set(sample.map(({ at }) => at.join())).size).toBe(64);
    for (const axis of [0, 1]) expect(new Set(sample.map(({ at }) => at[axis])).size).toBe(64); // a Sobol sequence has one point in each column
    expect(pointsOf(wide, { sample: 64, seed: 'one' })).toEqual(sample);
    expect(pointsOf(wide, { sample: 64, seed: 'two' })).not.toEqual(sample);
  });

  test('a sample larger than the grid is the grid', () => {
    expect(pointsOf(axes, { sample: 100, seed: 's' })).toEqual(pointsOf(axes, { seed: 's' }));
  });

  test('a grid that is too large names the way out', () => {
    expect(() => pointsOf(axesOf(['a=1:1000:1', 'b=1:1000:1']), { seed: 's' })).toThrow('1000000 points');
  });
});

describe('the answer', () => {
  const axes = axesOf(['a=0:4:1', 'b=0:4:1']);
  const hill = pointsOf(axes, { seed: 's' }).map(({ at }) => {
    const [i = 0, j = 0] = at;
    return { at, value: i === 4 && j === 0 ? 12 : 10 - (i - 2) ** 2 - (j - 2) ** 2 };
  });

  test('of a hill with a spike in its corner is the hill; the spike is the best and lies at both ends', () => {
    const answer = answerOf(hill, axes, true);
    expect(answer?.best).toEqual({ at: [4, 0], value: 12 });
    expect(answer?.plateau.at).toEqual([2, 2]);
    expect(answer?.plateau.value).toBeCloseTo(8.666667, 6);
    expect(answer?.edge).toEqual(['a', 'b']);
  });

  test('of a sample of it is near its top', () => {
    const [i = 0, j = 0] = answerOf(hill, axes, false)?.plateau.at ?? [];
    expect(Math.max(Math.abs(i - 2), Math.abs(j - 2))).toBeLessThanOrEqual(1);
  });

  test('of points that all are neighbours is the best of them', () => {
    const small = axesOf(['a=1,2', 'b=1,2']);
    const points = pointsOf(small, { seed: 's' }).map(({ at }, index) => ({ at, value: [-0.39, -0.4, -0.29, -0.31][index] ?? 0 }));
    for (const isGrid of [true, false]) expect(answerOf(points, small, isGrid)?.plateau.at).toEqual([1, 0]);
  });

  test('values without order are neither neighbours nor ends', () => {
    const modes = axesOf(['mode=x,y,z']);
    const answer = answerOf(
      [0, 1, 2].map((index) => ({ at: [index], value: [3, 0, 2][index] ?? 0 })),
      modes,
      true,
    );
    expect(answer?.plateau).toEqual({ at: [0], value: 3 });
    expect(answer?.edge).toEqual([]);
  });
});

test('the equity at the end of each step is the last one seen before it', () => {
  const curve = new EquityCurve(1_000, { from: 0, to: 4_000 }, 1_000);
  const see = (at: number, mf: number): void =>
    curve.see({ at, events: [{ kind: 'accountSeen', account: { margins: { mf } } }] } as unknown as Parameters<EquityCurve['see']>[0]);
  see(500, 1_100);
  see(2_500, 900);
  see(2_600, 950);
  expect([...curve.returns()].map((value) => Math.round(value * 1_000))).toEqual([100, 0, -150, 0]);
  expect(curve.drawdown).toBe(200);
  expect(stepFor({ from: 0, to: 3_600_000 })).toBe(10_000);
});

/** A row with these returns on a deposit of 100,000. */
function rowWith(key: string, returns: readonly number[], params: Row['params'] = {}): Row {
  const pnl = String(returns.reduce((sum, value) => sum + value, 0) * 100_000);
  const sharpe = sharpeOf(momentsOf(returns));
  return {
    key,
    strategy: 'planted',
    params,
    tapes: ['t'],
    span: 'a/b',
    stepMs: 1_000,
    outcome: {
      kind: 'done',
      result: { fingerprint: `of ${key}`, pnl, fees: '0', fills: 5, maxDrawdown: '1', sharpe, seconds: 1 },
      returns: Float64Array.from(returns),
    },
  };
}

/** A sweep of 10 points; `edge` is the mean return of the point with that index, in standard deviations. */
function planted(seed: string, edge?: { readonly at: number; readonly mean: number }) {
  const rng = rngFrom(seed);
  const axes = axesOf(['a=1:10:1']);
  const trials = pointsOf(axes, { seed }).map((point, index) => {
    const mean = index === edge?.at ? edge.mean : 0;
    const returns = Array.from({ length: 200 }, () => (rng.normal() + mean) * 1e-4);
    return { point, row: rowWith(`${index}`, returns, { a: index + 1 }) };
  });
  const history = trials.map(({ row }) => row);
  return summaryOf({ axes, trials, isGrid: true, objective: 'sharpe', walk: undefined, history, seed });
}

describe('the verdict', () => {
  test('calls noise noise in at least 95 of 100 seeds', () => {
    const verdicts = Array.from({ length: 100 }, (_, seed) => planted(`noise ${seed}`).verdict);
    expect(verdicts.filter((verdict) => verdict.startsWith('noise: the best of 10 earned')).length).toBeGreaterThanOrEqual(95);
  });

  test('does not call an edge noise, and names it when it lies at the end', () => {
    expect(planted('edge', { at: 5, mean: 0.4 }).verdict).toMatch(/^not explained by chance: the best of 10 earned/);
    const atEnd = planted('edge', { at: 9, mean: 0.4 });
    expect(atEnd.verdict).toContain('it lies at the edge of a');
    expect(atEnd.answer?.edge).toEqual(['a']);
  });

  test('says that nothing earns, that nothing traded, and that all failed', () => {
    const axes = axesOf(['a=1,2']);
    const summed = (rows: readonly Row[]) =>
      summaryOf({
        axes,
        trials: pointsOf(axes, { seed: 's' }).map((point, index) => ({ point, row: rows[index] ?? rowWith('x', [0, 0]) })),
        isGrid: true,
        objective: 'pnl',
        walk: undefined,
        history: [],
        seed: 's',
      });
    const losing = Array.from({ length: 100 }, (_, step) => (step % 3 === 0 ? 1 : -2) * 1e-5);
    const lost = summed([rowWith('1', losing), rowWith('2', losing.toReversed())]).verdict;
    expect(lost).toMatch(/^nothing here earns: the best of 2 lost \(DSR 0\.00, SPA p 1\.00, PBO .*\), and it lies at the edge of a/);
    const failed = { ...rowWith('3', losing), outcome: { kind: 'failed', reason: 'it threw' } } as const;
    expect(summed([failed, failed]).verdict).toBe('no result: all 2 points failed.');
    expect(summed([rowWith('1', losing), failed]).verdict).toContain('1 of 2 points failed; they count as trials.');
    expect(summed([rowWith('1', [1e-4, 2e-4]), rowWith('2', [0, 1e-4])]).verdict).toMatch(/^too short to judge: the best of 2 earned 30/);
  });

  test('a failed point counts as a trial', () => {
    const axes = axesOf(['a=1,2,3']);
    const row = rowWith('1', [1e-4, -1e-4]);
    const failed = { ...row, outcome: { kind: 'failed', reason: '' } } as const;
    const trials = pointsOf(axes, { seed: 's' }).map((point, index) => ({ point, row: index === 0 ? row : failed }));
    const { figures } = summaryOf({ axes, trials, isGrid: true, objective: 'sharpe', walk: undefined, history: [], seed: 's' });
    expect(figures?.trials).toBe(3);
  });
});

describe('walk-forward', () => {
  test('measures in each test window what was the best of the window before it', () => {
    const first = [1, 1, 0, 0, 1, 1, 0, 0];
    const second = [0, 0, 1, 1, 0, 0, 1, 1];
    const found = walkForward([first, second], { train: 2, test: 2, objective: 'pnl' });
    expect(found.folds).toEqual([
      { trial: 0, result: 0 },
      { trial: 1, result: 0 },
      { trial: 0, result: 0 },
    ]);
    expect(found).toMatchObject({ result: 0, efficiency: 0 });
    expect(walkForward([first.map(() => 1), second], { train: 2, test: 2, objective: 'pnl' })).toMatchObject({ result: 6, efficiency: 1 });
  });

  test('is refused where the tapes are too short for two folds', () => {
    expect(windowsOf({ trainMs: 4_000, testMs: 2_000 }, { steps: 8, stepMs: 1_000 })).toEqual({ train: 4, test: 2 });
    expect(() => windowsOf({ trainMs: 5_000, testMs: 2_000 }, { steps: 8, stepMs: 1_000 })).toThrow(UserError);
  });
});

const file = (): string => join(mkdtempSync(join(tmpdir(), 'sweep-')), 'results', 'a.sqlite');

describe('the store', () => {
  test('returns what was put, after it was closed and opened again', () => {
    const name = file();
    const [row, failed] = [
      rowWith('k', [1e-5, -2e-5], { a: 1 }),
      { ...rowWith('f', [0, 1]), outcome: { kind: 'failed', reason: 'no' } } as const,
    ];
    const store = new ResultStore(name);
    expect([store.put(row), store.put(failed)]).toEqual([undefined, undefined]);
    store.close();
    const again = new ResultStore(name);
    expect([again.get('k'), again.get('f'), again.get('other')]).toEqual([row, failed, undefined]);
    expect(again.history(row).map(({ key }) => key)).toEqual(['f', 'k']);
    expect(again.history({ ...row, tapes: ['u'] })).toEqual([]);
    again.close();
  });

  test('a second row of a key is the same, or a conflict after which neither counts', () => {
    const store = new ResultStore(file());
    const row = rowWith('k', [1e-5, -2e-5]);
    expect([store.put(row), store.put(row)]).toEqual([undefined, undefined]);
    const { outcome } = row;
    if (outcome.kind !== 'done') throw new Error('the row has a result');
    const other: Row = { ...row, outcome: { ...outcome, result: { ...outcome.result, fingerprint: 'another' } } };
    expect(store.put(other)).toEqual({ first: 'of k', second: 'another' });
    expect(store.get('k')).toBeUndefined();
    store.close();
  });

  test('a file of another kind is refused in words', () => {
    expect(() => new ResultStore(import.meta.filename)).toThrow('cannot be opened');
  });
});
