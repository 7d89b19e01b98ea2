// Our own clock as a measure of how long an order can still come about: a leap of it counts only when the time has really passed.
import type { Clock, Millis } from '../../base/clock.ts';
import { LIFE_OF_ORDER } from './orders/pending-placements.ts';

/** A leap of the clock may be a machine that slept, or a wall clock that was set: orders sent before must not be taken for dead by it. */
export class CountedTime {
  readonly #clock: Clock;
  #skipped: Millis;
  /** Left out until then. */
  #leap = 0;
  #until: Millis = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#skipped = clock.skipped();
  }

  /** Whole seconds. Behind by a leap of the clock for as long as an order from before it could still come about. */
  seconds(): number {
    const [now, skipped] = [this.#clock.now(), this.#clock.skipped()];
    if (now >= this.#until) this.#leap = 0;
    if (skipped > this.#skipped) {
      this.#leap += skipped - this.#skipped;
      this.#until = now + LIFE_OF_ORDER;
    }
    this.#skipped = skipped;
    return Math.floor((now - this.#leap) / 1_000);
  }
}
