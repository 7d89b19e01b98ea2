// What can stop a run from outside: the first request stops it in order, the second at once.
import { beforeEach, expect, test } from 'vitest';
import { Interrupts } from '../../../../src/program/commands/run/interrupts.ts';
import { FakeHost } from '../fake-host.ts';
import { FakeRun } from './fake-run.ts';

let host: FakeHost;
let run: FakeRun;
let interrupts: Interrupts;

beforeEach(() => {
  host = new FakeHost();
  run = new FakeRun();
  interrupts = new Interrupts(host);
});

test('one Ctrl-C stops in order, the next one at once', () => {
  interrupts.applyTo(run.trading.run);
  host.signal('SIGINT');
  expect(run.stops).toEqual(['Ctrl-C']);
  host.signal('SIGINT', { again: true });
  expect(run.stops).toEqual(['Ctrl-C', 'stopped twice']);
  expect(host.exits).toEqual([]);
});

test('a terminal that closes after a Ctrl-C is not a second request', () => {
  interrupts.applyTo(run.trading.run);
  host.signal('SIGINT');
  host.signal('SIGHUP', { again: true });
  host.stdout.emit('error', new Error('EIO'));
  expect(run.stops).toEqual(['Ctrl-C']);
});

test('an output whose reader has gone stops the run in order', () => {
  interrupts.applyTo(run.trading.run);
  host.stdout.emit('error', new Error('EPIPE'));
  expect(run.stops).toEqual(['the output was closed']);
});

test('a Ctrl-C while a run is stopping by itself does not hurry it; the next one does', () => {
  interrupts.applyTo(run.trading.run);
  run.trading.run.stop('the time is over');
  host.signal('SIGINT');
  expect(run.stops).toEqual(['the time is over']);
  host.signal('SIGINT', { again: true });
  expect(run.stops).toEqual(['the time is over', 'stopped twice']);
});

test('a request before the run exists is kept, and stops the run when it starts', async () => {
  host.signal('SIGTERM');
  await interrupts.requested;
  interrupts.applyTo(run.trading.run);
  expect(run.stops).toEqual(['SIGTERM']);
});

test('without a run, a second request ends the process', async () => {
  host.signal('SIGINT');
  host.signal('SIGINT', { again: true });
  expect(host.exits).toEqual([1]);
  interrupts.applyTo(run.trading.run);
  run.end({ kind: 'settled' });
  await run.trading.run.done;
  await Promise.resolve();
  host.signal('SIGINT', { again: true });
  expect(host.exits).toEqual([1, 1]);
});

test.each(['SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGXCPU'])('%s stops in order, however often it comes', (name) => {
  interrupts.applyTo(run.trading.run);
  host.signal(name);
  host.signal(name, { again: true });
  host.signal('SIGINT', { again: true });
  expect(run.stops).toEqual([name]);
});

test.each(['SIGINT', 'SIGTERM', 'SIGQUIT'])('a second %s ends at once', (name) => {
  interrupts.applyTo(run.trading.run);
  host.signal(name);
  host.signal(name, { again: true });
  expect(run.stops).toEqual([name === 'SIGINT' ? 'Ctrl-C' : name, 'stopped twice']);
});

test('a bug stops in order too; the first error is kept', () => {
  interrupts.applyTo(run.trading.run);
  host.throws(new Error('first'));
  host.throws(new Error('second'));
  expect(run.stops).toEqual(['a bug in the program']);
  expect(interrupts.firstBug).toEqual({ thrown: new Error('first') });
});

test("an error of the strategy is kept as the strategy's, and fails the run as such", () => {
  const blamed = new Error('strategy mine failed: no price');
  const other = new FakeHost();
  const ofStrategy = new Interrupts(other, () => blamed);
  ofStrategy.applyTo(run.trading.run);
  other.throws(new Error('no price'));
  expect(ofStrategy.firstBug).toEqual({ thrown: blamed });
});
