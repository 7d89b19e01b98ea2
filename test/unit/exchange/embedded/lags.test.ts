// The latency of a recorder, recovered from its rows.
import { expect, test } from 'vitest';
import { UserError } from '../../../../src/base/errors.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import { clockBehindOf, RecordedLags } from '../../../../src/embedded/adapter/lags.ts';
import { RowBuilder } from '../../../../src/embedded/rows/row-builder.ts';
import { codeOf, type Rows } from '../../../../src/embedded/rows/rows.ts';

/** Pairs of a time and a lag, in milliseconds. */
function rowsOf(...reported: readonly (readonly [time: number, lag: number])[]): Rows {
  const rows = new RowBuilder();
  for (const [time, lag] of reported) rows.add({ time: time * 1_000, lag: lag * 1_000, code: codeOf('mark'), price: 1, size: 0 });
  return rows.take();
}

test('the latency at a time is that of the last row that is not later, over all blocks', () => {
  const lags = new RecordedLags();
  lags.push(rowsOf([100, 1], [200, 2], [200, 3], [300, 4]));
  lags.push(rowsOf([400, 5], [500, 6]));
  expect([50, 100, 150, 200, 399.5, 400, 499, 500, 9_999].map((now) => lags.at(now))).toEqual([1, 1, 1, 3, 4, 5, 5, 6, 6]);
});

test('a drawn latency is never that of a later row', () => {
  const lags = new RecordedLags();
  lags.push(rowsOf(...Array.from({ length: 50 }, (_, index) => [index, index] as const)));
  const rng = rngFrom('seed');
  const drawn = Array.from({ length: 200 }, () => lags.draw(20, rng));
  expect(Math.max(...drawn)).toBe(20);
  expect(Math.min(...drawn)).toBe(0);
});

test('the division into blocks does not change the draws', () => {
  const times = Array.from({ length: 4_000 }, (_, index) => [index, (index * 7) % 101] as const);
  const drawnWith = (size: number): readonly number[] => {
    const lags = new RecordedLags();
    for (let from = 0; from < times.length; from += size) lags.push(rowsOf(...times.slice(from, from + size)));
    const rng = rngFrom('seed');
    return Array.from({ length: 500 }, (_, index) => lags.draw(index * 8, rng));
  };
  const whole = drawnWith(4_000);
  for (const size of [1, 3, 17, 999, 1_001]) expect(drawnWith(size)).toEqual(whole);
});

test('trades of a polled tape do not count', () => {
  const lags = new RecordedLags({ polled: true });
  const rows = new RowBuilder();
  rows.add({ time: 100_000, lag: 4_000, code: codeOf('mark'), price: 1, size: 0 });
  rows.add({ time: 200_000, lag: 300_000, code: codeOf('trade'), price: 1, size: 1 });
  lags.push(rows.take());
  expect([lags.at(250), lags.draw(250, rngFrom('seed'))]).toEqual([4, 4]);
});

test("the delay of a recorder's clock is added", () => {
  const lags = new RecordedLags({ clockBehind: 1_270 });
  lags.push(rowsOf([100, -1_270], [200, -1_260], [300, 5]));
  expect([100, 200, 300].map((now) => lags.at(now))).toEqual([0, 10, 1_275]);
  expect([0, 10]).toContain(lags.draw(200, rngFrom('seed')));
});

const tapeOf = (...blocks: readonly Rows[]) => ({
  header: { books: 'changes' },
  released: 0,
  async *blocks() {
    for (const rows of blocks) yield await Promise.resolve(rows);
  },
  release() {
    this.released++;
  },
});

test('a clock was behind by the smallest lag of all rows, even if that is in the last block', async () => {
  const tape = tapeOf(rowsOf([100, -1_260], [200, 5]), rowsOf([300, -1_270], [400, -1_262]));
  expect([await clockBehindOf(tape), tape.released]).toEqual([1_270, 2]);
});

test('a clock was not behind if everything was received after it happened', async () => {
  expect(await clockBehindOf(tapeOf(rowsOf([100, 0], [200, 7])))).toBe(0);
});

test('a polled tape may show no delay: the answers took less than could be measured', async () => {
  const tape = { ...tapeOf(rowsOf([100, 0], [200, 0])), header: { books: 'polled' } };
  expect(await clockBehindOf(tape)).toBe(0);
});

test('a tape without receive times has no latency', async () => {
  const asked = clockBehindOf(tapeOf(rowsOf([100, 0], [200, 0])));
  await expect(asked).rejects.toBeInstanceOf(UserError);
  await expect(asked).rejects.toThrow('this tape has no receive times');
});
