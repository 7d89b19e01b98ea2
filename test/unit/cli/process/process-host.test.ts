// The process as a host: which signals it passes on.
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { processHost } from '../../../../src/program/process/process-host.ts';
import { FakeHost } from '../fake-host.ts';

/** A process that was started as `npm run bot -- run`, with standard streams of its own. */
function startedProcess(): NodeJS.Process {
  const { stdout, stderr } = new FakeHost();
  return Object.assign(new EventEmitter(), {
    stdout,
    stderr,
    env: {},
    execPath: '/bin/node',
    execArgv: ['--import', './src/base/load-typescript.mjs'],
    argv: ['/bin/node', '/main.ts', 'run'],
  }) as unknown as NodeJS.Process;
}

test('a Ctrl-C that npm repeats counts as one Ctrl-C; a later one is another', () => {
  const clock = new VirtualClock(0);
  const process = startedProcess();
  const received: string[] = [];
  const host = processHost(process, { clock, exit: () => undefined });
  host.onSignal(({ name, again }) => received.push(`${name}${again ? ' again' : ''}`));
  for (const at of [1_000, 1_004, 1_050, 2_000, 2_002]) {
    clock.advanceTo(at);
    process.emit('SIGINT', 'SIGINT');
  }
  expect(received).toEqual(['SIGINT', 'SIGINT again']);
});

test.each([
  ['its starter ends', '7', ['the end of the process that started it']],
  ['the starter of another process ends', '6', []],
  ['it does not know a starter', undefined, []],
])('a process whose parent changes: if %s', (_, starter, expected) => {
  const clock = new VirtualClock(0);
  const process = Object.assign(startedProcess(), { ppid: 7, env: starter === undefined ? {} : { BOT_STARTED_BY: starter } });
  const received: string[] = [];
  processHost(process, { clock, exit: () => undefined }).onSignal(({ name }) => received.push(name));
  clock.advanceTo(5_000);
  expect(received).toEqual([]);
  process.ppid = 1;
  clock.advanceTo(9_000);
  expect(received).toEqual(expected);
});

test('a reader of the output that closes does not cause an unhandled error', () => {
  const process = startedProcess();
  processHost(process, { clock: new VirtualClock(0), exit: () => undefined });
  expect(process.stdout.emit('error', new Error('EPIPE'))).toBe(true);
});

test('knows how it was started, without its arguments', () => {
  const { self } = processHost(startedProcess(), { clock: new VirtualClock(0), exit: () => undefined });
  expect(self).toEqual({ program: '/bin/node', args: ['--import', './src/base/load-typescript.mjs', '/main.ts'] });
});

test('it knows which processes run: itself, but not one that has ended', () => {
  const host = processHost(process, { clock: new VirtualClock(0), exit: () => undefined });
  expect([host.pid, host.isRunning(process.pid), host.isRunning(2 ** 30), host.isRunning(Number.NaN)]).toEqual([
    process.pid,
    true,
    false,
    false,
  ]);
});
