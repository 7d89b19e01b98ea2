// A machine on virtual time that can sleep: its monotonic clock and its timers stop, while its
// uptime and its wall clock continue. The wall clock can be set.
import type { Cancel, Millis, TimeSource, VirtualClock } from '../src/base/clock.ts';

export class SleepingMachine implements TimeSource {
  readonly #world: VirtualClock;
  #slept: Millis = 0;
  #set: Millis = 0;
  #stoppedUntil: Millis = 0;

  constructor(world: VirtualClock) {
    this.#world = world;
  }

  monotonic(): Millis {
    return this.#world.now() - this.#slept;
  }

  wall(): Millis {
    return this.#world.now() + this.#set;
  }

  uptime(): Millis {
    return this.#world.now();
  }

  wait(span: Millis, run: () => void): Cancel {
    const due = this.monotonic() + span;
    let cancel: Cancel | undefined;
    const look = (): void => {
      const left = Math.max(due - this.monotonic(), this.#stoppedUntil - this.#world.now());
      if (left > 0) cancel = this.#world.at(this.#world.now() + left, look);
      else run();
    };
    cancel = this.#world.at(this.#world.now() + span, look);
    return () => cancel?.();
  }

  soon(run: () => void): Cancel {
    return this.wait(0, run);
  }

  /** Makes the machine sleep for `span` from now: the monotonic clock stops, and so do the timers. */
  sleep(span: Millis): void {
    this.#slept += span;
  }

  /** Stops the process for `span` from now: both clocks continue, and no timer fires. */
  stop(span: Millis): void {
    this.#stoppedUntil = this.#world.now() + span;
  }

  setWallClock(by: Millis): void {
    this.#set += by;
  }
}
