// An account whose orders contradict its own counts is a failed read, unless the exchange counts otherwise from the start.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { OwnCounts } from '../../../../src/exchange/kit/streams/own-counts.ts';

const WRONG = [{ what: 'open orders in BTCUSDC', stated: 10, listed: 0 }];
const RIGHT = [{ what: 'open orders in BTCUSDC', stated: 10, listed: 10 }];
const TEXT = 'the account contradicts itself: it counts 10 open orders in BTCUSDC and lists 0';

function checked() {
  const clock = new VirtualClock(0);
  const warnings: string[] = [];
  const counts = new OwnCounts({ clock, log: { info: () => undefined, warn: (text) => void warnings.push(text) } });
  return { clock, warnings, counts };
}

test('a contradiction is an error that says what is counted and what is listed', () => {
  const { counts } = checked();
  expect(() => counts.require(WRONG)).toThrow(TEXT);
  expect(() => counts.require(RIGHT)).not.toThrow();
});

test('it is one during the whole run, however long it lasts', async () => {
  const { clock, counts } = checked();
  for (const second of [0, 10, 100]) {
    await clock.drive(second * 1_000);
    expect(() => counts.require(WRONG)).toThrow(TEXT);
  }
});

test('the same contradiction in two accounts of a start, 2 s apart, ends the check with a warning', async () => {
  const { clock, warnings, counts } = checked();
  expect(() => counts.requireAtStart(WRONG)).toThrow(TEXT);
  await clock.drive(1_999);
  expect(() => counts.requireAtStart(WRONG)).toThrow(TEXT);
  await clock.drive(2_000);
  expect(() => counts.requireAtStart(WRONG)).not.toThrow();
  expect(warnings).toEqual([expect.stringContaining('this exchange counts otherwise')]);
  expect(() => counts.require(WRONG)).not.toThrow();
});

test.each([
  ['an account between that does not contradict itself', RIGHT],
  ['another contradiction between', [{ what: 'open orders in BTCUSDC', stated: 9, listed: 0 }]],
])('%s does not end it', async (_, between) => {
  const { clock, counts } = checked();
  expect(() => counts.requireAtStart(WRONG)).toThrow();
  await clock.drive(1_000);
  try {
    counts.requireAtStart(between);
  } catch {
    // the other contradiction
  }
  await clock.drive(2_000);
  expect(() => counts.requireAtStart(WRONG)).toThrow(TEXT);
});
