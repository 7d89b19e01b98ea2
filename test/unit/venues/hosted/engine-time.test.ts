// Engine time: its unit, when it may be signed, and when it is only an estimate.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { secondsOfReading } from '../../../../src/venues/client/hosted.ts';
import { EngineTime } from '../../../../src/venues/hosted/session/engine-time.ts';

function timeAt(first: { seconds: number; asked: number }): EngineTime {
  const time = new EngineTime({ client: { timestamp: () => Promise.reject(new Error('not asked')) }, clock: new VirtualClock(0) });
  time.observe(first);
  return time;
}

test.each([
  [1_763_632_800, 1_763_632_800],
  [1_763_632_800.9, 1_763_632_800],
  [1_763_632_800_999, 1_763_632_800],
])('%d is %d in seconds', (reading, seconds) => {
  expect(secondsOfReading(reading)).toBe(seconds);
});

test.each([0, 12, -1_763_632_800, 176_363_280, 17_636_328_009, 176_363_280_099, 1_763_632_800_000_000, Number.NaN])(
  '%d is not a time',
  (reading) => {
    expect(() => secondsOfReading(reading)).toThrow('neither seconds nor milliseconds');
  },
);

test('the last observed time is signed, unchanged, for twenty seconds', () => {
  const time = timeAt({ seconds: 500, asked: 1_000 });
  expect([time.signable(1_000), time.signable(21_000), time.signable(21_001)]).toEqual([500, 500, undefined]);
});

test('a reading that was requested earlier is ignored; a later one counts even if it goes back', () => {
  const time = timeAt({ seconds: 500, asked: 1_000 });
  time.observe({ seconds: 700, asked: 900 });
  expect(time.signable(1_000)).toBe(500);
  time.observe({ seconds: 400, asked: 2_000 });
  expect(time.signable(2_000)).toBe(400);
});

test('the estimate advances with the local clock', () => {
  expect(timeAt({ seconds: 500, asked: 1_000 }).estimate(3_500)).toBe(502.5);
});
