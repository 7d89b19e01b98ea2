// Moves a virtual clock along with the machine's, a fixed span behind it, so that all that happened by then has been seen.
import type { Cancel, Clock, Millis, VirtualClock } from '../../base/clock.ts';

export interface FollowerOptions {
  /** The clock to move. */
  readonly clock: VirtualClock;
  /** The clock that it follows. */
  readonly machine: Clock;
  readonly behind: Millis;
  /** Called before each step. `slept` is true if the machine or this process has slept, so that nothing was seen for a while. */
  readonly before: (until: Millis, slept: boolean) => void;
  /** Called with what `before` or a timer of the clock has thrown. */
  readonly failed: (thrown: unknown) => void;
}

/** From one step to the next. */
const STEP: Millis = 20;
/** A longer step means that nothing was seen for a while. */
const LONGEST_STEP: Millis = 3_000;
/** A step of the clock once it no longer follows the machine. */
const FAST_STEP: Millis = 1_000;

export class Follower {
  readonly #options: FollowerOptions;
  #next: Cancel = () => undefined;
  #moving = false;
  #until: { readonly moment: Millis; readonly run: () => void } | undefined;
  #fast = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Follows from now on. At the moment of `until` on the virtual clock, its `run` is called once, before the clock moves on. */
  start(until?: { readonly moment: Millis; readonly run: () => void }): void {
    this.#until = until;
    this.#soon();
  }

  stop(): void {
    this.#next();
    this.#next = () => undefined;
  }

  /** From now on the clock does not follow, but goes as fast as it can. */
  goFast(): void {
    this.#fast = true;
  }

  /** Calls `act` between two steps: at once, or after the step that is under way. */
  between(act: () => void): void {
    if (!this.#moving) return act();
    const { machine, failed } = this.#options;
    machine.at(machine.now(), () => attempt(act, failed));
  }

  /** Moves the clock on by itself, for its last rows. Call it between two steps. */
  moveTo(moment: Millis): void {
    this.#moving = true;
    try {
      this.#options.clock.advanceTo(moment);
    } finally {
      this.#moving = false;
    }
  }

  #soon(): void {
    const { machine, failed } = this.#options;
    this.#next = machine.at(machine.now() + (this.#fast ? 0 : STEP), () => {
      this.#soon();
      attempt(() => this.#step(), failed);
    });
  }

  #step(): void {
    const { clock, machine, behind, before } = this.#options;
    if (this.#fast) return this.moveTo(clock.now() + FAST_STEP);
    const until = this.#until;
    const moment = Math.min(Math.floor(machine.now() - behind), until?.moment ?? Number.POSITIVE_INFINITY);
    if (moment > clock.now()) {
      before(moment, moment - clock.now() > LONGEST_STEP);
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
