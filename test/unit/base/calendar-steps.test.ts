// The steps of the calendar, which returns are computed over.
import { expect, test } from 'vitest';
import { stepEnds } from '../../../src/base/calendar-steps.ts';
import { DAY, HOUR } from '../../../src/base/clock.ts';

const at = (text: string): number => Date.parse(`2026-01-${text}Z`);

test('begin and end at midnight, except the first and the last', () => {
  const ends = stepEnds({ from: at('05T10:00'), to: at('08T01:00') }, DAY);
  expect(ends).toEqual([at('06T00:00'), at('07T00:00'), at('08T00:00'), at('08T01:00')]);
});

test('of a span that begins and ends at midnight are whole days', () => {
  expect(stepEnds({ from: at('05T00:00'), to: at('07T00:00') }, DAY)).toEqual([at('06T00:00'), at('07T00:00')]);
});

test('of a span within one step are the span; of an empty one there are none', () => {
  expect(stepEnds({ from: at('05T10:10'), to: at('05T10:20') }, HOUR)).toEqual([at('05T10:20')]);
  expect(stepEnds({ from: at('05T10:10'), to: at('05T10:10') }, HOUR)).toEqual([]);
});
