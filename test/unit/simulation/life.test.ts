// A dead process does nothing: no timer, reply or disk call outlives it.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import type { HttpReply, Transport } from '../../../src/base/transport/transport.ts';
import { SimDisk } from '../../../src/research/simulation/environment/disk/sim-disk.ts';
import { Killed, Life, type PortCall } from '../../../src/research/simulation/environment/processes/life.ts';

const REPLY: HttpReply = {
  status: 200,
  contentType: 'text/plain',
  body: new Uint8Array(),
};
const LIMITS = { timeoutMs: 1_000, maxBytes: 1_000 };
const bytes = new TextEncoder().encode('x');

function mortalProcess(dies: (call: PortCall, moment: 'before' | 'after') => boolean = () => false, offset = 0) {
  const clock = new VirtualClock(1_000);
  const disk = new SimDisk();
  const arrived: string[] = [];
  const transport: Transport = {
    request: ({ path }) =>
      new Promise((resolve) => {
        arrived.push(path);
        clock.at(clock.now() + 100, () => resolve(REPLY));
      }),
    close: () => Promise.resolve(),
  };
  const bugs: unknown[] = [];
  const life = new Life({
    clock,
    clockOffset: () => offset,
    transport,
    disk,
    dies,
    onBug: (thrown) => void bugs.push(thrown),
  });
  return { clock, disk, life, arrived, bugs };
}

test('a living process runs timers, receives replies and writes to the disk', async () => {
  const { clock, disk, life } = mortalProcess();
  const calls: string[] = [];
  life.clock.at(1_050, () => calls.push('timer'));
  void life.transport.request({ method: 'GET', path: '/' }, LIMITS).then(() => calls.push('reply'));
  life.disk.append('a', bytes);
  await clock.drive(2_000);
  expect(calls).toEqual(['timer', 'reply']);
  expect(disk.read('a')?.length).toBe(1);
});

test('a timer at a fraction of a millisecond that a sum would round down rings', async () => {
  const due = 1_767_614_406_385.676_025_390_625;
  const span = 2_089.676_025_390_625;
  const { clock, life } = mortalProcess();
  await clock.drive(due - span);
  let rings = 0;
  life.clock.at(life.clock.now() + span, () => rings++);
  let steps = 0;
  await clock.drive(due + 1, () => ++steps > 100);
  expect(rings).toBe(1);
});

test('a dead process does none of these', async () => {
  const { clock, disk, life, arrived } = mortalProcess();
  const calls: string[] = [];
  life.clock.at(1_050, () => calls.push('timer'));
  void life.transport.request({ method: 'GET', path: '/sent' }, LIMITS).then(() => calls.push('reply'));
  life.die();
  void life.transport.request({ method: 'GET', path: '/never' }, LIMITS).then(() => calls.push('reply'));
  life.clock.at(1_060, () => calls.push('timer'));
  for (const call of [() => life.disk.append('a', bytes), () => life.disk.sync('a'), () => life.disk.read('a'), () => life.disk.list()])
    expect(call).toThrow(Killed);
  await clock.drive(200_000);
  expect(calls).toEqual([]);
  expect(arrived).toEqual(['/sent']); // a request already sent still arrives
  expect(disk.list()).toEqual([]);
});

test.each([
  ['before', false],
  ['after', true],
] as const)('it dies %s a call', (when, done) => {
  const { disk, life } = mortalProcess(({ name }, moment) => name === 'append' && moment === when);
  expect(() => life.disk.append('a', bytes)).toThrow(Killed);
  expect(life.alive).toBe(false);
  expect(disk.list().length === 1).toBe(done);
});

test('a pause delays timers and replies until its end', async () => {
  const { clock, life } = mortalProcess();
  const calls: number[] = [];
  life.pauseUntil(5_000);
  life.clock.at(1_050, () => calls.push(clock.now()));
  void life.transport.request({ method: 'GET', path: '/' }, LIMITS).then(() => calls.push(clock.now()));
  await clock.drive(10_000);
  expect(calls).toEqual([5_000, 5_000]);
});

test('its timers are exact even if its clock is wrong', async () => {
  const { clock, life } = mortalProcess(undefined, 86_400_000);
  const calls: number[] = [];
  life.clock.at(life.clock.now() + 50, () => calls.push(clock.now()));
  await clock.drive(2_000);
  expect(calls).toEqual([1_050]);
});

test('an uncaught error is reported', () => {
  const { clock, life, bugs } = mortalProcess();
  life.clock.at(1_010, () => {
    throw new Error('a bug');
  });
  clock.advanceTo(2_000);
  expect(bugs).toEqual([new Error('a bug')]);
});
