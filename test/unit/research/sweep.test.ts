// A sweep without backtests: points, answer, store and verdict on given results.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import { stepEnds } from '../../../src/base/calendar-steps.ts';
import { DAY, HOUR } from '../../../src/base/clock.ts';
import { UserError } from '../../../src/base/errors.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { mean } from '../../../src/base/statistics/moments.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { returnsOf } from '../../../src/research/report/figures/equity/curve.ts';
import { answerOf } from '../../../src/research/sweep/answer.ts';
import { axesOf } from '../../../src/research/sweep/axes.ts';
import { daysOf, joinDays } from '../../../src/research/sweep/days.ts';
import { EquityCurve, stepFor } from '../../../src/research/sweep/equity.ts';
import { pointsOf, settingsOf } from '../../../src/research/sweep/points.ts';
import type { SweepRow } from '../../../src/research/sweep/row.ts';
import { ResultStore } from '../../../src/research/sweep/store.ts';
import { summaryOf } from '../../../src/research/sweep/summary.ts';
import { foldValues, ranksAmong, walkForward, windowsOf } from '../../../src/research/sweep/walk.ts';
import { firstSampleSize, middlePoint, roundSize, ZOOM_ROUNDS, zoomPoints } from '../../../src/research/sweep/zoom.ts';
import { alike, planted, rowWith } from './planted-sweeps.ts';

const valuesOf = (text: string): readonly string[] | undefined => axesOf([text])[0]?.values;

describe('the values of a parameter', () => {
  test('a range is computed in its last decimal and ends at the last step', () => {
    expect(valuesOf('a=2:8:2')).toEqual(['2', '4', '6', '8']);
    expect(valuesOf('a=0.1:0.7:0.1')).toEqual(['0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7']);
    expect(valuesOf('a=1:2:0.4')).toEqual(['1', '1.4', '1.8']);
    expect(valuesOf('a=-2:2:2')).toEqual(['-2', '0', '2']);
  });

  test('a list of numbers is sorted without duplicates; other texts keep their order', () => {
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

  test('are all combinations, each once', () => {
    const texts = pointsOf(axes, { seed: 's' }).map((point) => settingsOf(point, axes).join(' '));
    expect(texts.length).toBe(16);
    expect(new Set(texts).size).toBe(16);
    expect(texts.slice(0, 3)).toEqual([
      'params.a=1 params.b=1 params.c=x',
      'params.a=1 params.b=1 params.c=y',
      'params.a=1 params.b=2 params.c=x',
    ]);
  });

  test('a sample has the requested number of different points, spread over every axis, and depends on the seed', () => {
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

  test('the error for a grid that is too large says what to do', () => {
    expect(() => pointsOf(axesOf(['a=1:1000:1', 'b=1:1000:1']), { seed: 's' })).toThrow('1000000 points');
  });
});

describe('the answer', () => {
  const axes = axesOf(['a=0:4:1', 'b=0:4:1']);
  const hill = pointsOf(axes, { seed: 's' }).map(({ at }) => {
    const [i = 0, j = 0] = at;
    return { at, value: i === 4 && j === 0 ? 12 : 10 - (i - 2) ** 2 - (j - 2) ** 2 };
  });

  test('of a hill with a spike in its corner has the hill as plateau; the spike is the best and lies at both edges', () => {
    const answer = answerOf(hill, axes, true);
    expect(answer?.best).toEqual({ at: [4, 0], value: 12 });
    expect(answer?.plateau.at).toEqual([2, 2]);
    expect(answer?.plateau.value).toBeCloseTo(8.666667, 6);
    expect(answer?.edge).toEqual(['a', 'b']);
  });

  test('of a sample of the hill is near its top', () => {
    const [i = 0, j = 0] = answerOf(hill, axes, false)?.plateau.at ?? [];
    expect(Math.max(Math.abs(i - 2), Math.abs(j - 2))).toBeLessThanOrEqual(1);
  });

  test('of points that are all neighbours is the best of them', () => {
    const small = axesOf(['a=1,2', 'b=1,2']);
    const points = pointsOf(small, { seed: 's' }).map(({ at }, index) => ({ at, value: [-0.39, -0.4, -0.29, -0.31][index] ?? 0 }));
    for (const isGrid of [true, false]) expect(answerOf(points, small, isGrid)?.plateau.at).toEqual([1, 0]);
  });

  test('values without order are neither neighbours nor edges', () => {
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

test('the equity at the end of each step is the last one before it', () => {
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

test('the steps of the returns are those of the report: the calendar of UTC, with shorter steps at both ends', () => {
  const span = { from: 36 * HOUR, to: 36 * HOUR + 250 * DAY };
  const equity = Array.from({ length: 250 * 24 + 1 }, (_, hour) => 1_000_000 + 1_000 * Math.round(9 * Math.sin(hour)) + hour);
  const swept = new EquityCurve(equity[0]!, span, stepFor(span));
  for (const [hour, mf] of equity.entries())
    swept.see({ at: span.from + hour * HOUR, events: [{ kind: 'accountSeen', account: { margins: { mf } } }] } as unknown as Turn);
  const times = Float64Array.from(equity, (_, hour) => span.from + hour * HOUR);
  const reported = returnsOf({ times, values: Float64Array.from(equity), end: span.to });
  if ('missing' in reported) throw new Error(reported.missing);
  const changes = [...swept.returns()].map((value) => value * equity[0]!);
  let before = equity[0]!;
  expect(reported.values).toHaveLength(251);
  expect(changes).toHaveLength(251);
  for (const [step, change] of changes.entries()) {
    expect(change / before).toBeCloseTo(reported.values[step]!, 12);
    before += change;
  }
});

test('the days of a point have the steps of the whole span', () => {
  const whole = { from: 10.5 * HOUR, to: 5 * DAY + 0.5 * HOUR };
  for (const step of [DAY, 4 * HOUR, HOUR]) expect(daysOf(whole).flatMap((day) => stepEnds(day, step))).toEqual(stepEnds(whole, step));
});

test('the ranks of a point in the folds omit the last window', () => {
  const walk = { trainMs: 2_000, testMs: 2_000 };
  const choice = { objective: 'pnl', walk } as const;
  const valuesOf = (returns: readonly number[]) => foldValues([], rowWith('a', returns), choice);
  const [a, b, c] = [
    [0, 0, 1, 0, 2, 0, 9, 9],
    [0, 0, 2, 0, 1, 0, 0, 0],
    [0, 0, 2, 0, 3, 0, 0, 0],
  ].map(valuesOf);
  expect(a).toEqual([1, 2]);
  expect([a, b, c].map((own) => ranksAmong(own!, [a!, b!, c!]))).toEqual([
    [3, 2],
    [1, 3],
    [1, 1],
  ]);
  const days = [1, 2].map((day) => rowWith(`${day}`, [day * 1e-5, 0]));
  expect(foldValues(days, joinDays(days), { objective: 'pnl', walk: undefined })).toEqual([1, 2]);
  expect(foldValues(days.slice(1), days[1]!, { objective: 'pnl', walk: undefined })).toEqual([]);
});

/** A sweep of one point, the best of those in the store. */
function alone(seed: string, points: number) {
  const rng = rngFrom(seed);
  const rows = Array.from({ length: points }, (_, at) =>
    rowWith(
      `${at}`,
      Array.from({ length: 300 }, () => rng.normal() * 1e-4),
      { a: at },
    ),
  );
  const best = rows.toSorted(
    (a, b) => Number(b.outcome.kind === 'done' && b.outcome.result.sharpe) - Number(a.outcome.kind === 'done' && a.outcome.result.sharpe),
  )[0]!;
  const axes = axesOf(['a=1']);
  const trials = pointsOf(axes, { seed }).map((point) => ({ point, row: best }));
  return summaryOf({ axes, trials, isGrid: true, objective: 'sharpe', walk: undefined, history: rows, seed });
}

/** The verdict on a sweep of one point. */
const one = (returns: readonly number[]) => {
  const axes = axesOf(['a=1']);
  const trials = pointsOf(axes, { seed: 's' }).map((point) => ({ point, row: rowWith('1', returns) }));
  return summaryOf({ axes, trials, isGrid: true, objective: 'sharpe', walk: undefined, history: [], seed: 's' }).verdict;
};

/** 300 returns that win, except where `loss` is not 0. */
const wins = (loss: (step: number) => number): readonly number[] =>
  Array.from({ length: 300 }, (_, step) => loss(step) || (step % 3 === 0 ? 1e-4 : 2e-4));

describe('the verdict', () => {
  test('is noise for random returns; a hundred sweeps: `noise.slow.test.ts`', () => {
    expect(planted('noise 0').verdict).toMatch(/^noise: the best of 10 earned/);
    expect(alike('alike 0', 0).verdict).toMatch(/^noise/);
  });

  test('is not noise for a loss that chance does not explain', () => {
    const verdicts = Array.from({ length: 20 }, (_, seed) => alike(`alike ${seed}`, -0.4).verdict);
    expect(verdicts.filter((verdict) => verdict.startsWith('nothing here earns: the best of 10 lost'))).toHaveLength(20);
  });

  test('is not noise for a real advantage, and names the parameter at whose edge it lies', () => {
    expect(planted('edge', { at: 5, mean: 0.4 }).verdict).toMatch(/^not explained by chance: the best of 10 earned/);
    const atEnd = planted('edge', { at: 9, mean: 0.4 });
    expect(atEnd.verdict).toContain('it lies at the edge of a');
    expect(atEnd.answer?.edge).toEqual(['a']);
  });

  test('reports that nothing earns, that nothing traded, or that all points failed', () => {
    const axes = axesOf(['a=1,2']);
    const summed = (rows: readonly SweepRow[]) =>
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
    expect(summed([rowWith('1', [1e-4, 2e-4]), rowWith('2', [0, 1e-4])]).verdict).toMatch(
      /^too short to judge: the best of 2 earned 30\.00 quote tokens, but/,
    );
  });

  test('of the last of 40 sweeps with one point each deflates by all of them', () => {
    const found = Array.from({ length: 20 }, (_, seed) => alone(`alone ${seed}`, 40));
    expect(found.every(({ figures }) => figures!.trials > 36 && figures!.trials <= 40)).toBe(true);
    expect(found.filter(({ verdict }) => verdict.startsWith('not explained')).length).toBeLessThanOrEqual(1);
    const [undeflated, deflated] = [mean(found.map(({ figures }) => figures!.psr!.best)), mean(found.map(({ figures }) => figures!.dsr!))];
    expect(undeflated).toBeGreaterThan(0.95);
    expect(deflated).toBeLessThan(0.6); // about 0.5: the best of 40
  });

  test('counts no more trials than there are, although sampled correlations may be below 0', () => {
    expect(Array.from({ length: 20 }, (_, seed) => planted(`count ${seed}`).figures?.trials)).toEqual(Array.from({ length: 20 }, () => 10));
  });

  test('does not depend on how the other points vary', () => {
    const rng = rngFrom('others');
    const edge = Array.from({ length: 300 }, () => (rng.normal() + 0.24) * 1e-4);
    const dsrBeside = (spread: number) => {
      const axes = axesOf(['a=1:5:1']);
      const trials = pointsOf(axes, { seed: 's' }).map((point, at) => {
        const others = Array.from({ length: 300 }, () => (rng.normal() - spread * at) * 1e-4);
        return { point, row: rowWith(`${at}`, at === 0 ? edge : others, { a: at }) };
      });
      const history = trials.map(({ row }) => row);
      return summaryOf({ axes, trials, isGrid: true, objective: 'sharpe', walk: undefined, history, seed: 's' }).figures?.dsr;
    };
    expect(dsrBeside(0.5)).toBe(dsrBeside(0)); // points that lose do not make an edge less likely
  });

  test('cannot be decided if hardly a step lost, also if there are small losses by fees', () => {
    expect(one(wins(() => 0))).toMatch(
      /^cannot be decided: the only point earned .*, but only 0 of its 300 steps lost, and at least 5 are needed/,
    );
    expect(one(Array.from({ length: 300 }, () => 1e-4))).toMatch(/^cannot be decided/);
    expect(one(wins((step) => (step % 2 === 0 ? -1e-6 : 0)))).toMatch(/^cannot be decided: .* only 0 of its 300/);
    expect(one(wins((step) => (step % 70 === 1 ? -5e-4 : 0)))).toMatch(/^not explained by chance/); // five losses
    expect(one(wins((step) => (step % 80 === 1 ? -5e-4 : 0)))).toMatch(/^cannot be decided: .* only 4 of its 300/);
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
  test('measures in each test window the best point of the training window before it', () => {
    const first = [1, 1, 0, 0, 1, 1, 0, 0];
    const second = [0, 0, 1, 1, 0, 0, 1, 1];
    const found = walkForward([first, second], { train: 2, test: 2, gap: 0, objective: 'pnl' });
    expect(found.folds).toEqual([
      { trial: 0, result: 0 },
      { trial: 1, result: 0 },
      { trial: 0, result: 0 },
    ]);
    expect(found).toMatchObject({ result: 0, efficiency: 0 });
    expect(walkForward([first.map(() => 1), second], { train: 2, test: 2, gap: 0, objective: 'pnl' })).toMatchObject({
      result: 6,
      efficiency: 1,
    });
  });

  test('omits the end of each training window, for the length of the gap', () => {
    const first = [0, 0, 5, 0, 0, 0, 0, 0];
    const second = [1, 1, 0, 0, 1, 1, 1, 1];
    const [whole, purged] = [0, 1].map((gap) => walkForward([first, second], { train: 3, test: 2, gap, objective: 'pnl' }));
    expect(whole?.folds[0]).toEqual({ trial: 0, result: 0 });
    expect(purged?.folds[0]).toEqual({ trial: 1, result: 1 });
    expect(windowsOf({ trainMs: 4_000, testMs: 2_000, gapMs: 1_500 }, { steps: 8, stepMs: 1_000 })).toEqual({ train: 4, test: 2, gap: 2 });
    expect(() => windowsOf({ trainMs: 4_000, testMs: 2_000, gapMs: 3_000 }, { steps: 8, stepMs: 1_000 })).toThrow(UserError);
  });

  test('a look-ahead wins the sweep, and the last window shows it', () => {
    const rng = rngFrom('look-ahead');
    const axes = axesOf(['a=1:10:1']);
    const walk = { trainMs: 100_000, testMs: 50_000 };
    const summed = (known: number, knows: (step: number) => boolean) => {
      const trials = pointsOf(axes, { seed: 's' }).map((point, index) => {
        const noise = Array.from({ length: 300 }, () => rng.normal() * 1e-4);
        const returns = noise.map((value, step) => (index === 6 && step < known && knows(step) ? Math.abs(value) : value)); // it knows the sign of later returns
        return { point, row: rowWith(`${index}`, returns, { a: index + 1 }) };
      });
      const history = trials.map(({ row }) => row);
      return summaryOf({ axes, trials, isGrid: true, objective: 'sharpe', walk, history, seed: 's' });
    };
    const [mostly, always] = [(step: number): boolean => step % 4 > 0, (): boolean => true];
    const caught = summed(250, mostly); // all data that it was fitted on, and nothing of the last window
    expect(caught.answer?.best.at).toEqual([6]);
    expect(caught.figures?.dsr).toBeGreaterThan(0.99);
    expect(caught.verdict).toMatch(/^noise: the best of 10 earned .* it did not hold in the last window, which no choice used/);
    expect(caught.last?.result).toBeLessThan(0.5 * (caught.last?.expected ?? 0));
    expect(summed(300, mostly).verdict).toMatch(/^not explained by chance/); // a figure cannot detect a look-ahead that continues
    expect(summed(300, always).verdict).toMatch(/^cannot be decided/); // it never lost
    expect(summed(250, always).verdict).toMatch(/^noise: .* it did not hold in the last window/);
  });

  test('no point is chosen by its returns in the last window', () => {
    const axes = axesOf(['a=1,2']);
    const early = Array.from({ length: 60 }, (_, step) => (step < 40 ? 1e-4 * (1 + (step % 3)) : -1e-3));
    const late = Array.from({ length: 60 }, (_, step) => (step < 40 ? -1e-4 * (1 + (step % 3)) : 1e-2));
    const trials = pointsOf(axes, { seed: 's' }).map((point, index) => ({
      point,
      row: rowWith(`${index}`, index === 0 ? early : late, { a: index + 1 }),
    }));
    const walk = { trainMs: 20_000, testMs: 20_000 };
    const looked: string[] = [];
    const look = ({ span }: { span: string }): number => looked.push(span) + 1;
    const summary = summaryOf({ axes, trials, isGrid: true, objective: 'pnl', walk, history: [], seed: 's', recordUse: look });
    expect(summary.answer?.best.at).toEqual([0]);
    expect([looked.length, summary.last?.looks]).toEqual([1, 2]);
  });

  test('is refused if the tapes are too short for two folds', () => {
    expect(windowsOf({ trainMs: 4_000, testMs: 2_000 }, { steps: 8, stepMs: 1_000 })).toEqual({ train: 4, test: 2, gap: 0 });
    expect(() => windowsOf({ trainMs: 5_000, testMs: 2_000 }, { steps: 8, stepMs: 1_000 })).toThrow(UserError);
  });
});

describe('days', () => {
  const day = 86_400_000;

  test('are cut at midnight; a remainder of less than an hour belongs to the day next to it', () => {
    expect(daysOf({ from: 0.5 * day, to: 2.5 * day })).toEqual([
      { from: 0.5 * day, to: day },
      { from: day, to: 2 * day },
      { from: 2 * day, to: 2.5 * day },
    ]);
    expect(daysOf({ from: day - 60_000, to: 2 * day + 60_000 })).toEqual([{ from: day - 60_000, to: 2 * day + 60_000 }]);
    expect(daysOf({ from: 0, to: 3_600_000 })).toEqual([{ from: 0, to: 3_600_000 }]);
  });

  test('of one point become one row: sums, all returns, the drawdown over all days; one failed day fails it', () => {
    const [first, second] = [rowWith('1', [1e-3, -2e-3]), rowWith('2', [-1e-3, 4e-3])].map((row) => ({ ...row, point: 'p' }));
    if (first === undefined || second === undefined) throw new Error('there are two rows');
    const whole = joinDays([
      { ...first, span: '2026-01-01T00:00:00.000Z/2026-01-02T00:00:00.000Z' },
      { ...second, span: 'b/c' },
    ]);
    expect(whole).toMatchObject({
      key: 'p',
      span: '2026-01-01T00:00:00.000Z/c',
      outcome: { result: { pnl: '200.00', fills: 10, maxDrawdown: '100.00', seconds: 2 } },
    });
    expect(whole.outcome.kind === 'done' && [...whole.outcome.returns]).toEqual([1e-3, -2e-3, -1e-3, 4e-3]);
    const failed = { ...second, span: '2026-01-02T00', outcome: { kind: 'failed', reason: 'it threw' } } as const;
    expect(joinDays([first, failed]).outcome).toEqual({ kind: 'failed', reason: '2026-01-02: it threw' });
    expect(joinDays([first])).toBe(first);
  });
});

/** A hill with its top at (70, 30), and noise that is fixed for each point. */
const valueAt = ([a = 0, b = 0]: readonly number[]): number =>
  1 - ((a - 70) / 60) ** 2 - ((b - 30) / 60) ** 2 + 0.1 * Math.sin(a * 12.9898 + b * 78.233);
const valued = (points: readonly { at: readonly number[] }[]) => points.map(({ at }) => ({ at, value: valueAt(at) }));

describe('a zoom', () => {
  const axes = axesOf(['a=0:99:1', 'b=0:99:1']);
  const search = (seed: string) => {
    let known = valued(pointsOf(axes, { sample: firstSampleSize(100), seed }));
    const rounds: number[] = [];
    for (let round = 1; round <= ZOOM_ROUNDS; round++) {
      const points = zoomPoints(known, axes, { round, count: roundSize(100, round), seed });
      rounds.push(points.length);
      known = [...known, ...valued(points)];
    }
    return { known, rounds, middle: middlePoint(known, axes).at };
  };

  test('has 40 points first and 20 in each round, all different, and ends near the top of a hill with any seed', () => {
    for (const seed of ['one', 'two', 'three', 'four', 'five']) {
      const { known, rounds, middle } = search(seed);
      expect([known.length, ...rounds]).toEqual([100, 20, 20, 20]);
      expect(new Set(known.map(({ at }) => at.join())).size).toBe(100);
      expect(Math.hypot((middle[0] ?? 0) - 70, (middle[1] ?? 0) - 30)).toBeLessThan(20);
    }
    expect(search('one')).toEqual(search('one'));
  });

  test('chooses no point twice, and ends when its box has no more points', () => {
    const small = axesOf(['a=1,2,3']);
    const known = [0, 1].map((index) => ({ at: [index], value: index }));
    expect(zoomPoints(known, small, { round: 1, count: 20, seed: 's' })).toEqual([{ at: [2] }]);
  });
});

const file = (): string => join(mkdtempSync(join(tmpdir(), 'sweep-')), 'results', 'a.sqlite');

describe('the store', () => {
  test('returns the stored rows after it was closed and opened again', () => {
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
    expect(again.history([row]).map(([only]) => only?.key)).toEqual(['f', 'k']);
    expect(again.history([{ ...row, tapes: ['u'] }])).toEqual([]);
    again.close();
  });

  test('returns the points that have all days, and counts the other sweeps that used a span', () => {
    const store = new ResultStore(file());
    for (const [key, point, span] of [
      ['1', 'p', 'mon'],
      ['2', 'p', 'tue'],
      ['3', 'q', 'mon'],
    ] as const)
      store.put({ ...rowWith(key, [0, 1]), point, span });
    const jobs = ['mon', 'tue'].map((span) => ({ ...rowWith('', [0, 1]), span }));
    expect(store.history(jobs).map((rows) => rows.map(({ key }) => key))).toEqual([['1', '2']]);
    const look = (search: string): number =>
      store.recordUse({ strategy: 's', tapes: ['t'], span: '2026-01-01T00:00:00.000Z/2026-01-02T00:00:00.000Z', search });
    expect([look('one'), look('one'), look('two'), look('one'), look('three')]).toEqual([0, 0, 1, 1, 2]);
    store.close();
  });

  test('of version 1 is migrated: each row becomes a separate point', () => {
    const name = file();
    mkdirSync(dirname(name));
    const old = new DatabaseSync(name);
    old.exec(`create table rows (key text primary key, strategy text not null, params text not null, tapes text not null, span text not null,
      step_ms integer not null, result text, failed text, returns blob) without rowid;
      insert into rows values ('k', 'planted', '{}', '["t"]', 'a/b', 1000, null, 'no', null); pragma user_version = 1;`);
    old.close();
    const store = new ResultStore(name);
    expect(store.get('k')).toMatchObject({ key: 'k', point: 'k', outcome: { kind: 'failed', reason: 'no' } });
    expect(store.put(rowWith('l', [0, 1]))).toBeUndefined();
    store.close();
  });

  test('a second row of a key is equal, or a conflict that removes both', () => {
    const store = new ResultStore(file());
    const row = rowWith('k', [1e-5, -2e-5]);
    expect([store.put(row), store.put(row)]).toEqual([undefined, undefined]);
    const { outcome } = row;
    if (outcome.kind !== 'done') throw new Error('the row has a result');
    const other: SweepRow = { ...row, outcome: { ...outcome, result: { ...outcome.result, fingerprint: 'another' } } };
    expect(store.put(other)).toEqual({ first: 'of k', second: 'another' });
    expect(store.get('k')).toBeUndefined();
    store.close();
  });

  test('a file of another kind is refused with a UserError', () => {
    expect(() => new ResultStore(import.meta.filename)).toThrow('cannot be opened');
  });
});
