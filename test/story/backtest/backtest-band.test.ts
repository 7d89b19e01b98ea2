// The three sets of assumptions of a band: against us, expected, for us.
import { describe, expect, test } from 'vitest';
import type { Assumptions } from '../../../src/research/backtest/backtest.ts';
import { bandOf, stepsBetween } from '../../../src/research/backtest/band.ts';

const GIVEN: Assumptions = {
  latency: { kind: 'lognormal', median: 20, p99: 200 },
  queue: { kind: 'conservative' },
  phase: 0.5,
  candles: { path: 'pessimistic', halfSpreadBps: 4 },
};

test.each([{ kind: 'conservative' }, { kind: 'probabilistic', power: 2 }] as const)(
  'the expected case has the given queue model: %j',
  (queue) => {
    expect(bandOf({ ...GIVEN, queue }).expected).toEqual({ ...GIVEN, queue });
  },
);

test('against us requests take twice as long and all cancels are behind us; for us half as long and cancels are spread evenly', () => {
  const { pessimistic, optimistic } = bandOf(GIVEN);
  expect(pessimistic).toMatchObject({ latency: { median: 40, p99: 400 }, queue: { kind: 'conservative' } });
  expect(optimistic).toMatchObject({ latency: { median: 10, p99: 100 }, queue: { kind: 'probabilistic', power: 1 } });
});

test('the pollers start a third of an interval apart', () => {
  const phases = Object.values(bandOf(GIVEN)).map(({ phase }) => Math.round(phase * 6));
  expect(new Set(phases)).toEqual(new Set([1, 3, 5]));
});

describe('known assumptions are not varied', () => {
  test('queue positions on a tape with order ids', () => {
    const queues = Object.values(bandOf({ ...GIVEN, queue: { kind: 'exact' } })).map(({ queue }) => queue);
    expect(queues).toEqual([{ kind: 'exact' }, { kind: 'exact' }, { kind: 'exact' }]);
  });
});

test('the spread of candles is doubled and halved', () => {
  const { pessimistic, expected, optimistic } = bandOf(GIVEN);
  expect([pessimistic, expected, optimistic].map(({ candles }) => candles.halfSpreadBps)).toEqual([8, 4, 2]);
});

test('the runs vary one assumption after the other, without those that the tape does not use', () => {
  const { pessimistic, expected } = bandOf({ ...GIVEN, queue: { kind: 'conservative' } });
  const books = stepsBetween(pessimistic, expected, { ofCandles: false });
  expect(books.map(({ assumption }) => assumption)).toEqual(['latency', 'polls']);
  expect(books.at(-1)?.assumptions).toEqual({ ...expected, candles: pessimistic.candles });
  const candles = stepsBetween(pessimistic, expected, { ofCandles: true });
  expect(candles.map(({ assumption }) => assumption)).toEqual(['latency', 'spread']);
  expect(candles[0]?.assumptions).toEqual({ ...pessimistic, latency: expected.latency });
});
