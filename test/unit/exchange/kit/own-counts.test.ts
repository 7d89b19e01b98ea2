// An account whose orders contradict its own counts is a failed read, unless the exchange counts otherwise from the start.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import type { HealthSeen } from '../../../../src/bot/domain/event.ts';
import { type OwnCount, OwnCounts } from '../../../../src/bot/exchange/kit/streams/own-counts.ts';

const WRONG = [{ what: 'open orders in BTCUSDC', stated: 10, listed: 0 }];
const RIGHT = [{ what: 'open orders in BTCUSDC', stated: 10, listed: 10 }];
const TEXT = 'the account contradicts itself: it counts 10 open orders in BTCUSDC and lists 0';

function checked() {
  const clock = new VirtualClock(0);
  const warnings: string[] = [];
  const counts = new OwnCounts({ clock, log: { info: () => undefined, warn: (text) => void warnings.push(text) } });
  const findings: HealthSeen[] = [];
  counts.findings.subscribe((finding) => findings.push(finding));
  const read = (stated: readonly OwnCount[]): void => {
    try {
      counts.require(stated);
    } catch {} // what is emitted counts here
  };
  return { clock, warnings, counts, findings, read };
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

test('accounts of a start that contradict themselves do not end it if an earlier process had one with orders that agreed', async () => {
  const agreed: string[] = [];
  const clock = new VirtualClock(0);
  const options = { clock, log: { info: () => undefined, warn: () => undefined }, onAgreed: () => void agreed.push('agreed') };
  const first = new OwnCounts(options);
  first.require([{ what: 'open orders in BTCUSDC', stated: 0, listed: 0 }]);
  expect(agreed).toEqual([]);
  first.require(RIGHT);
  first.require(RIGHT);
  expect(agreed).toEqual(['agreed']);
  const next = new OwnCounts({ ...options, hasAgreed: true });
  for (const second of [0, 2, 100]) {
    await clock.drive(second * 1_000);
    expect(() => next.requireAtStart(WRONG)).toThrow(`${TEXT}, and earlier accounts of this run agreed with their counts`);
  }
  next.require(RIGHT);
  expect(agreed).toEqual(['agreed']);
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

test('replies that contradict themselves for 30 s raise an alarm, once, until one agrees', async () => {
  const { clock, findings, read } = checked();
  for (let second = 0; second < 30; second++) {
    await clock.drive(second * 1_000);
    read(WRONG);
  }
  expect(findings).toEqual([]);
  for (const second of [30, 31, 90]) {
    await clock.drive(second * 1_000);
    read(WRONG);
  }
  const alarm = { kind: 'healthSeen', at: 30_000, stream: 'account-counts', healthy: false, alarm: true };
  expect(findings).toEqual([{ ...alarm, reason: expect.stringContaining(`${TEXT}, as in all replies with orders for 30 s`) }]);
  read(RIGHT);
  expect(findings.slice(1)).toEqual([expect.objectContaining({ stream: 'account-counts', healthy: true })]);
});

test('an account without orders ends the finding, and the alarm is not repeated after it', async () => {
  const { clock, findings, read } = checked();
  const empty = [{ what: 'open orders in BTCUSDC', stated: 0, listed: 0 }];
  for (const [second, stated] of [
    [0, WRONG],
    [20, WRONG],
    [25, empty],
    [35, WRONG],
    [40, empty],
    [45, WRONG],
  ] as const) {
    await clock.drive(second * 1_000);
    read(stated);
  }
  expect(findings.map(({ at, healthy, alarm }) => [at, healthy, alarm])).toEqual([
    [35_000, false, true],
    [40_000, true, undefined],
    [45_000, false, false],
  ]);
});

test('a reply between that agrees begins the 30 s anew', async () => {
  const { clock, findings, read } = checked();
  for (const [second, stated] of [
    [0, WRONG],
    [20, RIGHT],
    [21, WRONG],
    [50, WRONG],
  ] as const) {
    await clock.drive(second * 1_000);
    read(stated);
  }
  expect(findings).toEqual([]);
});
