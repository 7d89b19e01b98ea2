// Time as a port: the machine's clock, which combines its monotonic, wall and uptime clock, or a virtual clock that moves only when it is advanced.
// Also lengths of time in milliseconds: SECOND, MINUTE, HOUR, DAY.
import { uptime } from 'node:os';
import { Heap } from './collections/heap.ts';
import { assert } from './errors.ts';

/** Milliseconds since the Unix epoch, or a span of them. */
export type Millis = number;
/** Stops what has returned it. */
export type Cancel = () => void;

/** Time, and timers: of the machine, or virtual. */
export interface Clock {
  now(): Millis;
  /** Runs the function once when the clock reaches `when`, never before the caller has returned. */
  at(when: Millis, run: () => void): Cancel;
  /** Total of all forward jumps of `now`, because the machine slept or its wall clock was set. Never decreases. */
  skipped(): Millis;
}

/**
 * A clock that gains more than this on the monotonic clock between two readings was not merely adjusted: the machine slept, or its wall clock was
 * set.
 */
const MIN_JUMP: Millis = 2_000;
/** The clocks must be read within this span; otherwise they are read again. */
const READ_WITHIN: Millis = 50;
/** The uptime takes longer to read than the other clocks: it is read after this time, and when the wall clock has moved by more than `READ_WITHIN`. */
const UPTIME_EVERY: Millis = 100;
const MAX_READINGS = 3;
/** A longer timer of the platform would fire at once. */
const LONGEST_TIMER: Millis = 2 ** 31 - 1;

/** The time of a machine: three clocks, and timers that follow the monotonic one. */
export interface TimeSource {
  /** Starts at the wall time of the start. */
  monotonic(): Millis;
  /** Since the Unix epoch. */
  wall(): Millis;
  /** Since the machine was started. It also counts while the machine sleeps, and cannot be set. */
  uptime(): Millis;
  wait(span: Millis, run: () => void): Cancel;
  /** Runs the function after all input that has already arrived was handled. */
  soon(run: () => void): Cancel;
}

interface Timer {
  readonly when: Millis;
  readonly run: () => void;
  cancel: Cancel;
}

/**
 * Starts at the wall time and follows the monotonic clock. A forward jump of the wall clock or of the uptime against the monotonic clock is added, so
 * an age is never less than any of the three clocks shows. A step backward is ignored, so after one `now` may be ahead of the wall clock. The uptime
 * shows that the machine slept even if the wall clock was set back meanwhile.
 */
export class MachineClock implements Clock {
  readonly #source: TimeSource;
  readonly #pending = new Set<Timer>();
  /** The returned time less the monotonic clock. */
  #lead: Millis = 0;
  #skipped: Millis = 0;
  // The last reading. Not an object: the time is read some dozens of times between an event and the action that follows it.
  #monotonic: Millis = 0;
  /** How far the wall clock was ahead of the monotonic one. */
  #wallLead: Millis = 0;
  /** How far the uptime was ahead of the monotonic clock. */
  #uptimeLead: Millis = 0;
  /** When the uptime was read, by the monotonic clock. */
  #uptimeAt = Number.NEGATIVE_INFINITY;

  constructor(source: TimeSource) {
    this.#source = source;
    this.#read();
  }

  now(): Millis {
    const wallLead = this.#wallLead;
    const uptimeLead = this.#uptimeLead;
    this.#read();
    const gained = Math.max(this.#wallLead - wallLead, this.#uptimeLead - uptimeLead);
    if (gained > MIN_JUMP) this.#jump(gained);
    return Math.floor(this.#monotonic + this.#lead);
  }

  at(when: Millis, run: () => void): Cancel {
    if (when <= this.now()) return this.#source.soon(run);
    const timer: Timer = { when, run, cancel: () => undefined };
    this.#pending.add(timer);
    this.#arm(timer);
    return () => {
      this.#pending.delete(timer);
      timer.cancel();
    };
  }

  skipped(): Millis {
    this.now();
    return this.#skipped;
  }

  /** Reads again if the process may have been suspended between two of the readings, which would look like a jump. */
  #read(): void {
    for (let reading = 1; ; reading++) {
      const monotonic = this.#source.monotonic();
      const wallLead = this.#source.wall() - monotonic;
      const readsUptime = monotonic - this.#uptimeAt >= UPTIME_EVERY || Math.abs(wallLead - this.#wallLead) > READ_WITHIN;
      const uptimeLead = readsUptime ? this.#source.uptime() - monotonic : this.#uptimeLead;
      if (readsUptime && reading < MAX_READINGS && this.#source.monotonic() - monotonic > READ_WITHIN) continue;
      this.#monotonic = monotonic;
      this.#wallLead = wallLead;
      this.#uptimeLead = uptimeLead;
      if (readsUptime) this.#uptimeAt = monotonic;
      return;
    }
  }

  /** Sets the timers again, because the platform's timers slept too. */
  #jump(by: Millis): void {
    this.#lead += by;
    this.#skipped += by;
    for (const timer of this.#pending) {
      timer.cancel();
      this.#arm(timer);
    }
  }

  #arm(timer: Timer): void {
    const span = Math.min(LONGEST_TIMER, Math.max(0, timer.when - this.now()));
    timer.cancel = this.#source.wait(span, () => {
      if (this.now() < timer.when) return this.#arm(timer);
      this.#pending.delete(timer);
      timer.run();
    });
  }
}

/** The clocks and timers of this machine. */
export const MACHINE: TimeSource = {
  monotonic: () => performance.timeOrigin + performance.now(),
  wall: () => Date.now(),
  uptime: () => uptime() * 1_000,
  wait: (span, run) => {
    const timer = setTimeout(run, span);
    return () => clearTimeout(timer);
  },
  soon: (run) => {
    const immediate = setImmediate(run);
    return () => clearImmediate(immediate);
  },
};

/** The clock of this machine. */
export const systemClock: Clock = new MachineClock(MACHINE);

/** Resolves when this span has really passed: a jump of the clock does not shorten it. */
export const sleep = (clock: Clock, span: Millis): Promise<void> =>
  new Promise((resolve) => {
    const skippedBefore = clock.skipped();
    const start = clock.now();
    const wait = (): void => {
      const skipped = clock.skipped() - skippedBefore;
      if (clock.now() - skipped >= start + span) resolve();
      else clock.at(start + skipped + span, wait);
    };
    clock.at(start + span, wait);
  });

/** Calls `run` after each `span`, until it is cancelled. */
export function every(clock: Pick<Clock, 'now' | 'at'>, span: Millis, run: () => void): Cancel {
  let cancel: Cancel;
  const wait = (): void => {
    cancel = clock.at(clock.now() + span, () => {
      wait();
      run();
    });
  };
  wait();
  return () => cancel();
}

/** One timer at a time: `set` replaces the previous one. */
export class SingleTimer {
  readonly #clock: Pick<Clock, 'now' | 'at'>;
  #cancel: Cancel = () => undefined;

  constructor(clock: Pick<Clock, 'now' | 'at'>) {
    this.#clock = clock;
  }

  set(span: Millis, run: () => void): void {
    this.#cancel();
    this.#cancel = this.#clock.at(this.#clock.now() + span, run);
  }

  cancel(): void {
    this.#cancel();
  }
}

interface VirtualTimer {
  readonly when: Millis;
  /** Undefined once cancelled, so that a cancelled function is not kept in memory until it is due. */
  run: (() => void) | undefined;
}

/** A clock for simulation: timers run in order of time, then in order of registration. */
export class VirtualClock implements Clock {
  readonly #timers = new Heap<VirtualTimer>((a, b) => a.when - b.when);
  /** Timers that are due now, in their order, while `#timers` has none that is due now: as many as the others, and cheaper. */
  readonly #due: VirtualTimer[] = [];
  #dueAt = 0;
  #now: Millis;

  constructor(start: Millis) {
    this.#now = start;
  }

  now(): Millis {
    return this.#now;
  }

  at(when: Millis, run: () => void): Cancel {
    const timer: VirtualTimer = { when: Math.max(when, this.#now), run };
    const first = timer.when > this.#now ? undefined : (this.#timers.peek()?.when ?? Number.POSITIVE_INFINITY);
    if (first !== undefined && first > this.#now) this.#due.push(timer);
    else this.#timers.push(timer);
    return () => {
      timer.run = undefined;
    };
  }

  skipped(): Millis {
    return 0;
  }

  /** Runs all timers due until `end`, and ends at `end`. Promises started by timers do not run in between: see `drive`. */
  advanceTo(end: Millis): void {
    while (this.#runNext(end));
    this.#setTo(end);
  }

  /** Like `advanceTo`, but lets every promise settle after each timer, so that asynchronous code runs on virtual time. */
  async drive(end: Millis, until: () => boolean = () => false): Promise<void> {
    await settle();
    while (!until() && this.#runNext(end)) await settle();
    if (!until()) this.#setTo(end);
  }

  #runNext(end: Millis): boolean {
    for (;;) {
      const next = this.#takeDue() ?? this.#takeTimer(end);
      if (next === undefined) return false;
      const { when, run } = next;
      if (run === undefined) continue;
      this.#setTo(when);
      run();
      return true;
    }
  }

  #takeDue(): VirtualTimer | undefined {
    if (this.#dueAt < this.#due.length) return this.#due[this.#dueAt++];
    if (this.#dueAt > 0) {
      this.#due.length = 0;
      this.#dueAt = 0;
    }
    return undefined;
  }

  #takeTimer(end: Millis): VirtualTimer | undefined {
    const next = this.#timers.peek();
    if (next === undefined || next.when > end) return undefined;
    return this.#timers.pop();
  }

  #setTo(when: Millis): void {
    assert(when >= this.#now, 'time ran backwards');
    this.#now = when;
  }
}

/** One turn of Node's event loop: every promise that can settle without I/O has settled after it. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

// Lengths of time, in milliseconds.
export const SECOND: Millis = 1_000;
export const MINUTE: Millis = 60_000;
export const HOUR: Millis = 3_600_000;
export const DAY: Millis = 86_400_000;
