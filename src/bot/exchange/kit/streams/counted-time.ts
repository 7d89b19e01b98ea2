// Measures order expiry with the local clock. A jump of the clock counts only once that time has really passed.
import type { Clock, Millis } from '../../../../base/clock.ts';

/** A clock jump may mean that the machine slept or that the wall clock was set. Orders sent before it must not count as expired because of it. */
export class CountedTime {
  readonly #clock: Clock;
  readonly #orderLifeMs: Millis;
  #skipped: Millis;
  /** The jump that does not count until `#until`. */
  #jump = 0;
  #until: Millis = 0;

  /** `orderLifeMs`: how long a sent order can still be placed. */
  constructor(clock: Clock, orderLifeMs: Millis) {
    this.#clock = clock;
    this.#orderLifeMs = orderLifeMs;
    this.#skipped = clock.skipped();
  }

  /** Returns whole seconds. After a clock jump they exclude the jump while an order from before it could still be placed. */
  seconds(): number {
    const [now, skipped] = [this.#clock.now(), this.#clock.skipped()];
    if (now >= this.#until) this.#jump = 0;
    if (skipped > this.#skipped) {
      this.#jump += skipped - this.#skipped;
      this.#until = now + this.#orderLifeMs;
    }
    this.#skipped = skipped;
    return Math.floor((now - this.#jump) / 1_000);
  }
}
