// Latencies: drawn from their specification, and parsed from text.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { UserError } from '../../../../src/base/errors.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import { type Latencies, type LatencySpec, LONGEST, latenciesOf, parseLatency, slowed } from '../../../../src/embedded/adapter/latency.ts';

const modelsOf = (spec: LatencySpec, seed = 'seed'): Latencies =>
  latenciesOf(spec, { rng: rngFrom(seed), clock: new VirtualClock(0), lags: { at: () => 7, draw: () => 9 } });

test('a constant latency is always the same', () => {
  const { seen, sent } = modelsOf({ kind: 'constant', there: 10, back: 15 });
  for (const model of [seen, sent, seen]) expect(model.draw()).toEqual({ there: 10, back: 15 });
});

const ways = (model: Latencies['seen'], count: number): number[] =>
  Array.from({ length: count }, () => model.draw())
    .flatMap(({ there, back }) => [there, back])
    .sort((a, b) => a - b);

describe('a lognormal latency', () => {
  test('is below its median in half of all cases, and above its p99 in one of a hundred', () => {
    const drawn = ways(modelsOf({ kind: 'lognormal', median: 20, p99: 200 }).seen, 20_000);
    expect(drawn[20_000]! / 20).toBeCloseTo(1, 1);
    expect(drawn[39_600]! / 200).toBeCloseTo(1, 0);
    expect(drawn[0]).toBeGreaterThan(0);
  });

  test('never exceeds the timeout of a request, and is in whole microseconds', () => {
    const drawn = ways(modelsOf({ kind: 'lognormal', median: 300, p99: 5_000 }).sent, 1_000);
    expect(drawn.at(-1)).toBe(LONGEST);
    for (const way of drawn) expect(way * 1_000).toBeCloseTo(Math.round(way * 1_000), 6);
  });

  test('is drawn separately for polls and for actions, so one does not change the other', () => {
    const spec = { kind: 'lognormal', median: 20, p99: 200 } as const;
    const [alone, both] = [modelsOf(spec), modelsOf(spec)];
    both.sent.draw();
    expect(both.seen.draw()).toEqual(alone.seen.draw());
    expect(both.sent.draw()).not.toEqual(both.seen.draw());
    expect(modelsOf(spec, 'another').seen.draw()).not.toEqual(modelsOf(spec).seen.draw());
  });
});

test('a recorded latency is that of the same time for polls, and an earlier one for actions', () => {
  const { seen, sent } = modelsOf({ kind: 'recorded' });
  expect(seen.draw()).toEqual({ there: 7, back: 7 });
  expect(sent.draw()).toEqual({ there: 9, back: 9 });
  expect(modelsOf({ kind: 'recorded', times: 2 }).seen.draw()).toEqual({ there: 14, back: 14 });
});

test('a recorded latency needs a recording', () => {
  expect(() => latenciesOf({ kind: 'recorded' }, { rng: rngFrom('seed'), clock: new VirtualClock(0) })).toThrow('without a recording');
});

test.each([
  [
    { kind: 'constant', there: 10, back: 15 },
    { kind: 'constant', there: 20, back: 30 },
  ],
  [
    { kind: 'lognormal', median: 20, p99: 200 },
    { kind: 'lognormal', median: 40, p99: 400 },
  ],
  [
    { kind: 'recorded', times: 3 },
    { kind: 'recorded', times: 6 },
  ],
] as const)('%j takes twice as long as %j', (spec, twice) => {
  expect(slowed(spec, 2)).toEqual(twice);
});

test.each([
  ['20', { kind: 'constant', there: 20, back: 20 }],
  ['0', { kind: 'constant', there: 0, back: 0 }],
  ['10,15.5', { kind: 'constant', there: 10, back: 15.5 }],
  ['20~200', { kind: 'lognormal', median: 20, p99: 200 }],
  ['recorded', { kind: 'recorded' }],
])('%s is read', (text, spec) => {
  expect(parseLatency(text)).toEqual(spec);
});

test.each(['', 'fast', '-1', '1001', '10,', ',10', '10,15,20', '20~', '200~20', '0~5', '20ms', '1e2', '20~30~40', ' 20'])(
  '"%s" is refused, and the message says what to write',
  (text) => {
    expect(() => parseLatency(text)).toThrow(UserError);
    expect(() => parseLatency(text)).toThrow(`latency "${text}"`);
  },
);
