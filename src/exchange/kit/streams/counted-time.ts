// Measures with the local clock how long an order can still be placed late: a jump of the clock counts only when that time has really passed.
import type { Clock, Millis } from '../../../base/clock.ts';

/** A jump of the clock may be a machine that slept, or a wall clock that was set: orders sent before it must not be taken for dead because of it. */
export class CountedTime {
  readonly #clock: Clock;
  readonly #orderLifeMs: Millis;
  #skipped: Millis;
  /** The jump that is left out until `#until`. */
  #leap = 0;
  #until: Millis = 0;

  /** `orderLifeMs`: how long an order that was sent can still be placed. */
  constructor(clock: Clock, orderLifeMs: Millis) {
    this.#clock = clock;
    this.#orderLifeMs = orderLifeMs;
    this.#skipped = clock.skipped();
  }

  /** Returns whole seconds. They stay behind by a jump of the clock as long as an order from before the jump could still be placed. */
  seconds(): number {
    const [now, skipped] = [this.#clock.now(), this.#clock.skipped()];
    if (now >= this.#until) this.#leap = 0;
    if (skipped > this.#skipped) {
      this.#leap += skipped - this.#skipped;
      this.#until = now + this.#orderLifeMs;
    }
    this.#skipped = skipped;
    return Math.floor((now - this.#leap) / 1_000);
  }
}
