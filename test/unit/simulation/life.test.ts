// A dead process does nothing any more: no timer, no reply and no call to the disk outlives it.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import type { HttpReply, Transport } from '../../../src/base/transport.ts';
import { SimDisk } from '../../../src/simulation/environment/disk/sim-disk.ts';
import { Killed, Life, type PortCall } from '../../../src/simulation/environment/processes/life.ts';

const REPLY: HttpReply = { status: 200, contentType: 'text/plain', body: new Uint8Array() };
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
  const life = new Life({ clock, clockOffset: () => offset, transport, disk, dies, onBug: (thrown) => void bugs.push(thrown) });
  return { clock, disk, life, arrived, bugs };
}

test('while it lives, timers ring, replies come and the disk is written', async () => {
  const { clock, disk, life } = mortalProcess();
  const heard: string[] = [];
  life.clock.at(1_050, () => heard.push('timer'));
  void life.transport.request({ method: 'GET', path: '/' }, LIMITS).then(() => heard.push('reply'));
  life.disk.append('a', bytes);
  await clock.drive(2_000);
  expect(heard).toEqual(['timer', 'reply']);
  expect(disk.read('a')?.length).toBe(1);
});

test('after its death nothing of it happens', async () => {
  const { clock, disk, life, arrived } = mortalProcess();
  const heard: string[] = [];
  life.clock.at(1_050, () => heard.push('timer'));
  void life.transport.request({ method: 'GET', path: '/sent' }, LIMITS).then(() => heard.push('reply'));
  life.die();
  void life.transport.request({ method: 'GET', path: '/never' }, LIMITS).then(() => heard.push('reply'));
  life.clock.at(1_060, () => heard.push('timer'));
  for (const call of [() => life.disk.append('a', bytes), () => life.disk.sync('a'), () => life.disk.read('a'), () => life.disk.list()])
    expect(call).toThrow(Killed);
  await clock.drive(200_000);
  expect(heard).toEqual([]);
  expect(arrived).toEqual(['/sent']); // what has left is under way all the same
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

test('a pause holds timers and replies back until it is over', async () => {
  const { clock, life } = mortalProcess();
  const heard: number[] = [];
  life.pauseUntil(5_000);
  life.clock.at(1_050, () => heard.push(clock.now()));
  void life.transport.request({ method: 'GET', path: '/' }, LIMITS).then(() => heard.push(clock.now()));
  await clock.drive(10_000);
  expect(heard).toEqual([5_000, 5_000]);
});

test('its clock may be wrong, and its timers are right all the same', async () => {
  const { clock, life } = mortalProcess(undefined, 86_400_000);
  const heard: number[] = [];
  life.clock.at(life.clock.now() + 50, () => heard.push(clock.now()));
  await clock.drive(2_000);
  expect(heard).toEqual([1_050]);
});

test('an error that nothing in it caught is reported', () => {
  const { clock, life, bugs } = mortalProcess();
  life.clock.at(1_010, () => {
    throw new Error('a bug');
  });
  clock.advanceTo(2_000);
  expect(bugs).toEqual([new Error('a bug')]);
});
