// Time as a port: the system's, or a virtual one that only moves when told to.
import { assert } from './assert.ts';
import { Heap } from './heap.ts';

/** Milliseconds since the Unix epoch, or a span of them. */
export type Millis = number;
export type Cancel = () => void;

export interface Clock {
  now(): Millis;
  /** Runs once, when the clock reaches `when`; never before the caller has returned. */
  at(when: Millis, run: () => void): Cancel;
}

/**
 * The machine's time at the start of the process, and monotonic from there: a step of the wall clock never shows. What is due already runs when all
 * that has arrived by now was heard.
 */
export const systemClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  at(when, run) {
    if (when <= systemClock.now()) {
      const soon = setImmediate(run);
      return () => clearImmediate(soon);
    }
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const span = Math.min(LONGEST_TIMER, Math.max(0, when - systemClock.now()));
      timer = setTimeout(() => (systemClock.now() < when ? wait() : run()), span);
    };
    wait();
    return () => clearTimeout(timer);
  },
};

/** A timer of the platform that is longer fires at once. */
const LONGEST_TIMER: Millis = 2 ** 31 - 1;

/** Settles when the clock has moved on by `span`. */
export const sleep = (clock: Clock, span: Millis): Promise<void> => new Promise((resolve) => clock.at(clock.now() + span, resolve));

interface Timer {
  readonly when: Millis;
  /** Undefined once cancelled: what it would have run is not kept alive until then. */
  run: (() => void) | undefined;
}

/** A clock for simulation: timers run in order of time, then in order of registration. */
export class VirtualClock implements Clock {
  readonly #timers = new Heap<Timer>((a, b) => a.when - b.when);
  #now: Millis;

  constructor(start: Millis) {
    this.#now = start;
  }

  now(): Millis {
    return this.#now;
  }

  at(when: Millis, run: () => void): Cancel {
    const timer: Timer = { when: Math.max(when, this.#now), run };
    this.#timers.push(timer);
    return () => {
      timer.run = undefined;
    };
  }

  /** Runs everything due until `end`, and stands at `end` after. Promises started by timers do not run in between: see `drive`. */
  advanceTo(end: Millis): void {
    while (this.#runNext(end));
    this.#standAt(end);
  }

  /** Like `advanceTo`, but lets every promise settle after each timer, so that asynchronous code runs on virtual time. */
  async drive(end: Millis, until: () => boolean = () => false): Promise<void> {
    await settle();
    while (!until() && this.#runNext(end)) await settle();
    if (!until()) this.#standAt(end);
  }

  #runNext(end: Millis): boolean {
    for (;;) {
      const next = this.#timers.peek();
      if (next === undefined || next.when > end) return false;
      this.#timers.pop();
      const { when, run } = next;
      if (run === undefined) continue;
      this.#standAt(when);
      run();
      return true;
    }
  }

  #standAt(when: Millis): void {
    assert(when >= this.#now, 'time ran backwards');
    this.#now = when;
  }
}

/** One turn of Node's event loop: every promise that can settle without I/O has settled after it. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
