// The offset of the exchange's clock, from answers in whole seconds.
import { expect, test } from 'vitest';
import { ExchangeClock } from '../../../../src/research/exchange-clock.ts';

const AT = 1_800_000_000_000;

/** An answer to a question at `asked`, 40 ms later, from a clock that is ahead by `offset`. */
const answer = (asked: number, offset: number) => ({ asked, at: asked + 40, engineSeconds: Math.floor((asked + 20 + offset) / 1_000) });

test.each([0, -90_250, 45_700])('an offset of %d ms is found to the time of an answer', (offset) => {
  const clock = new ExchangeClock();
  for (let second = 0; second < 200; second++) clock.add(answer(AT + second * 1_000 + ((second * 37) % 1_000), offset));
  expect(Math.abs(clock.offset - offset)).toBeLessThanOrEqual(60);
  if (offset === 0) expect(clock.offset).toBe(0); // no correction without need
});

test('a clock that is set is followed, and our own clock needs no correction', () => {
  const clock = new ExchangeClock();
  clock.add(answer(AT, 0));
  clock.add(answer(AT + 1_000, 30_000));
  expect(Math.abs(clock.offset - 30_000)).toBeLessThanOrEqual(1_000);
  const own = new ExchangeClock();
  own.add({ ...answer(AT, 30_000), isOwn: true });
  expect(own.offset).toBe(0);
});

test('an event is not before its cause, and not after it was read', () => {
  const clock = new ExchangeClock();
  expect([clock.ours(5, { since: 7 }), clock.ours(5, { until: 3 }), clock.ours(5, {})]).toEqual([7, 3, 5]);
});
