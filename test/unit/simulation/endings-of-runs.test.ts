// The endings of a run that the simulation accepts: an order without an answer may be left only if its absence could not be proved.
import { expect, test } from 'vitest';
import type { Event } from '../../../src/bot/domain/event.ts';
import type { Process, Scene } from '../../../src/research/simulation/environment/scene.ts';
import { endings } from '../../../src/research/simulation/invariants/endings.ts';

const DEAD_AFTER = 500;
const NOT_IN_TIME = 'no proof in time';

const time = (engineSeconds: number, at: number) => ({ kind: 'timeSeen', at, asked: at - 100, engineSeconds }) as unknown as Event;
const account = (asked: number) => ({ kind: 'accountSeen', at: asked + 100, asked }) as unknown as Event;
const fills = (asked: number) => ({ kind: 'fillsSeen', at: asked + 100, asked, fills: [] }) as unknown as Event;
const jump = (at: number) => ({ kind: 'clockJumped', at, by: 60_000 }) as unknown as Event;

interface Closing {
  readonly kind?: 'settled' | 'unsettled';
  readonly after?: number;
  /** When it began to close. */
  readonly begun?: number;
  readonly read?: readonly Event[];
  /** Why fills do not explain the position. */
  readonly unexplained?: object | undefined;
}

/** The violations if a run with an order without an answer begins to close, reads these events, and ends after that time. */
function violationsOf({ kind = 'unsettled', after = 90_000, begun = -62_000, read = [], unexplained }: Closing): readonly string[] {
  const complaints: string[] = [];
  let now = 1_000;
  const check = endings({
    fail: (invariant: string, text: string) => complaints.push(`${invariant} ${text}`),
    tolerated: { isUnexplained: false },
    faults: { allOn: () => [] },
  } as unknown as Scene);
  const world = {
    stopping: 'the test',
    marketIds: new Set([0]),
    orders: () => [{ status: 'unknown', deadAfter: DEAD_AFTER }],
    unexplained: () => unexplained,
  };
  const process = {
    number: 1,
    life: { clock: { now: () => now }, monotonic: () => now },
    trading: { run: { world } },
  } as unknown as Process;
  check.turn?.({ events: [fills(begun - 100)] } as never, process);
  for (const event of read) check.turn?.({ events: [event] } as never, process);
  now += after;
  check.ended?.(process, kind === 'settled' ? { kind } : { kind, reason: NOT_IN_TIME });
  return complaints;
}

test('a run that closes may not give up before its 90 s are over', () => {
  expect(violationsOf({ after: 89_999 })).toEqual([expect.stringMatching(/^V13 .* 89999 ms after it began to close/)]);
  expect(violationsOf({ after: 90_000 })).toEqual([]);
  expect(violationsOf({ after: 2_000, kind: 'settled' })).toEqual([]);
});

const PROOF = [time(DEAD_AFTER + 1, 1_000), account(1_500), account(3_500), fills(3_600)];

test('a run that has read the proof may not leave an order without an answer', () => {
  expect(violationsOf({ read: PROOF })).toEqual([expect.stringMatching(/^V13 .*had read what proves its orders gone/)]);
  expect(violationsOf({ read: [...PROOF, account(9_000), fills(9_000)] })).toHaveLength(1);
});

test('a run may end without a proof if the accounts were requested before the bytes were dead by its own clock', () => {
  expect(violationsOf({ begun: -61_499, read: PROOF })).toEqual([]);
  expect(violationsOf({ begun: -61_500, read: PROOF })).toHaveLength(1);
});

test.each([
  ['the bytes of the order may still be executed', [time(DEAD_AFTER, 1_000), account(1_500), account(3_500), fills(3_600)]],
  ['the time of the exchange went back', [...PROOF, time(DEAD_AFTER - 5, 5_000)]],
  ['its accounts are not two seconds apart', [time(DEAD_AFTER + 1, 1_000), account(1_500), account(3_499), fills(3_600)]],
  [
    'an account was requested before the bytes of the order had expired',
    [time(DEAD_AFTER + 1, 1_000), account(999), account(3_500), fills(3_600)],
  ],
  ['its trades were requested before the second account came', [time(DEAD_AFTER + 1, 1_000), account(1_500), account(3_500), fills(3_599)]],
  ['its clock jumped between the accounts', [time(DEAD_AFTER + 1, 1_000), account(1_500), jump(2_000), account(3_500), fills(3_600)]],
])('a run may end without a proof if %s', (_, read) => {
  expect(violationsOf({ read })).toEqual([]);
});

test('a run may end without a proof while its fills do not explain its position', () => {
  expect(violationsOf({ read: PROOF, unexplained: {} })).toEqual([]);
});
