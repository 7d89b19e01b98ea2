// The parts of a paper run: the transport that only reads, and the clock that follows.
import { describe, expect, test } from 'vitest';
import { type Cancel, type Clock, type Millis, VirtualClock } from '../../../../src/base/clock.ts';
import type { HttpRequest, Transport } from '../../../../src/base/transport/transport.ts';
import { ClockFollower } from '../../../../src/embedded/paper/following-clock.ts';
import { onlyReads } from '../../../../src/embedded/paper/open.ts';

const LIMITS = { timeoutMs: 1, maxBytes: 1 };

test.each(['POST', 'DELETE'] as const)('a %s never reaches the network', (method) => {
  const sent: HttpRequest[] = [];
  const network: Transport = {
    request: (request) => {
      sent.push(request);
      return Promise.resolve({ status: 200, contentType: '', body: new Uint8Array() });
    },
    close: () => Promise.resolve(),
  };
  const transport = onlyReads(network);
  expect(() => transport.request({ method, path: '/action' }, LIMITS)).toThrow('a paper run sends only reads');
  void transport.request({ method: 'GET', path: '/info' }, LIMITS);
  void transport.request({ method: 'POST', path: '/info', reads: true }, LIMITS);
  expect(sent.map((request) => request.method)).toEqual(['GET', 'POST']);
});

/** A machine whose time the test sets. Its timers run when `tick` is called. */
class Machine implements Clock {
  time: Millis = 10_000;
  readonly #timers: (() => void)[] = [];

  now(): Millis {
    return this.time;
  }

  skipped(): Millis {
    return 0;
  }

  at(_: Millis, run: () => void): Cancel {
    this.#timers.push(run);
    return () => void this.#timers.splice(this.#timers.indexOf(run) >>> 0, 1);
  }

  tick(time: Millis): void {
    this.time = time;
    for (const run of this.#timers.splice(0)) run();
  }
}

function following() {
  const machine = new Machine();
  const clock = new VirtualClock(9_000);
  const steps: (readonly [until: Millis, slept: boolean])[] = [];
  const failures: unknown[] = [];
  const before = (until: Millis, slept: boolean): void => void steps.push([until, slept]);
  const follower = new ClockFollower({ clock, machine, behind: 1_000, before, failed: (thrown) => failures.push(thrown) });
  return { machine, clock, steps, failures, follower };
}

describe('a clock that follows', () => {
  test('is a second behind, at whole milliseconds, and reads what it needs before each step', () => {
    const { machine, clock, steps, follower } = following();
    follower.start();
    machine.tick(10_020.7);
    machine.tick(10_040.2);
    expect(steps).toEqual([
      [9_020, false],
      [9_040, false],
    ]);
    expect(clock.now()).toBe(9_040);
    machine.tick(10_040.9); // no whole millisecond later
    expect(steps.length).toBe(2);
  });

  test('reports a machine that has slept', () => {
    const { machine, steps, follower } = following();
    follower.start();
    machine.tick(10_020);
    machine.tick(3_610_000);
    machine.tick(3_610_020);
    expect(steps.map(([, slept]) => slept)).toEqual([false, true, false]);
  });

  test('stops for an action at a moment, then continues', () => {
    const { machine, clock, follower } = following();
    const seen: Millis[] = [];
    follower.start({ moment: 9_030, run: () => seen.push(clock.now()) });
    machine.tick(10_100);
    expect([seen, clock.now()]).toEqual([[9_030], 9_030]);
    machine.tick(10_120);
    expect([seen.length, clock.now()]).toEqual([1, 9_120]);
  });

  test('acts between two steps, also if requested within one', () => {
    const { machine, clock, follower } = following();
    const seen: Millis[] = [];
    clock.at(9_010, () => follower.between(() => seen.push(clock.now())));
    follower.between(() => seen.push(clock.now()));
    follower.start();
    machine.tick(10_020);
    expect(seen).toEqual([9_000]);
    machine.tick(10_020);
    expect(seen).toEqual([9_000, 9_020]);
  });

  test('rethrows the error of a timer, and continues', () => {
    const { machine, clock, failures, follower } = following();
    clock.at(9_010, () => {
      throw new Error('a fault');
    });
    follower.start();
    machine.tick(10_020);
    machine.tick(10_040);
    expect(failures).toEqual([new Error('a fault')]);
    expect(clock.now()).toBe(9_040);
  });

  test('no longer follows after it is set to run fast', () => {
    const { machine, clock, steps, follower } = following();
    follower.start();
    follower.goFast();
    machine.tick(10_020);
    machine.tick(10_020);
    expect([clock.now(), steps]).toEqual([11_000, []]);
    follower.stop();
    machine.tick(10_040);
    expect(clock.now()).toBe(11_000);
  });
});
