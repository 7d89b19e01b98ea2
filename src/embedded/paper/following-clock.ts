// Moves a virtual clock with the machine's, a fixed time behind it, so that all data up to the virtual time has arrived.
import type { Cancel, Clock, Millis, VirtualClock } from '../../base/clock.ts';

export interface ClockFollowerOptions {
  /** The clock to move. */
  readonly clock: VirtualClock;
  /** The clock to follow. */
  readonly machine: Clock;
  readonly behind: Millis;
  /** Called before each step. `slept` is true if the machine or this process has slept, so that data is missing. */
  readonly before: (until: Millis, slept: boolean) => void;
  /** Called with an error thrown by `before` or by a timer of the clock. */
  readonly failed: (thrown: unknown) => void;
}

/** Time between two steps. */
const STEP: Millis = 20;
/** After a longer step, data is missing. */
const MAX_STEP: Millis = 3_000;
/** A step of the clock once it no longer follows the machine. */
const FAST_STEP: Millis = 1_000;

/** Moves `clock` in steps, once started. */
export class ClockFollower {
  readonly #options: ClockFollowerOptions;
  #next: Cancel = () => undefined;
  #moving = false;
  #until: { readonly moment: Millis; readonly run: () => void } | undefined;
  #fast = false;

  constructor(options: ClockFollowerOptions) {
    this.#options = options;
  }

  /** Starts to follow. Calls `until.run` once, at the virtual time `until.moment`, before the clock moves on. */
  start(until?: { readonly moment: Millis; readonly run: () => void }): void {
    this.#until = until;
    this.#scheduleStep();
  }

  stop(): void {
    this.#next();
    this.#next = () => undefined;
  }

  /** Stops following: the clock runs as fast as it can from now on. */
  goFast(): void {
    this.#fast = true;
  }

  /** Calls `act` between two steps: at once, or after the current step. */
  between(act: () => void): void {
    if (!this.#moving) return act();
    const { machine, failed } = this.#options;
    machine.at(machine.now(), () => attempt(act, failed));
  }

  /** Moves the clock to a time directly, for the last rows. Must be called between two steps. */
  moveTo(moment: Millis): void {
    this.#moving = true;
    try {
      this.#options.clock.advanceTo(moment);
    } finally {
      this.#moving = false;
    }
  }

  #scheduleStep(): void {
    const { machine, failed } = this.#options;
    this.#next = machine.at(machine.now() + (this.#fast ? 0 : STEP), () => {
      this.#scheduleStep();
      attempt(() => this.#step(), failed);
    });
  }

  #step(): void {
    const { clock, machine, behind, before } = this.#options;
    if (this.#fast) return this.moveTo(clock.now() + FAST_STEP);
    const until = this.#until;
    const moment = Math.min(Math.floor(machine.now() - behind), until?.moment ?? Number.POSITIVE_INFINITY);
    if (moment > clock.now()) {
      before(moment, moment - clock.now() > MAX_STEP);
      this.moveTo(moment);
    }
    if (until === undefined || clock.now() < until.moment) return;
    this.#until = undefined;
    until.run();
  }
}

function attempt(act: () => void, failed: (thrown: unknown) => void): void {
  try {
    act();
  } catch (thrown) {
    failed(thrown);
  }
}
