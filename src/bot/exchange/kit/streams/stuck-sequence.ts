// Detects a stuck sequence number: one that stays the same although an event must have changed it.
import type { Clock, Millis } from '../../../../base/clock.ts';

/** Watches one sequence number (`updateId`) of the exchange, and the events that should have changed it. */
export class StuckSequence {
  readonly #clock: Clock;
  #number: string | undefined;
  #since: Millis = 0;
  /** A local time after which the newest event happened that must change the number. */
  #happenedAfter: Millis = Number.NEGATIVE_INFINITY;
  #answers = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records an event at the exchange after the local time `moment` that must change the number. */
  happenedAfter(moment: Millis): void {
    this.#happenedAfter = Math.max(this.#happenedAfter, moment);
  }

  /**
   * Called once per answer. Returns the id for the `stuck` check of `health`: the number itself while a change is due, else a different text each
   * time.
   */
  observe(number: string): string {
    if (number !== this.#number) {
      this.#number = number;
      this.#since = this.#clock.now();
    }
    this.#answers += 1;
    return this.#happenedAfter >= this.#since ? number : `${number}/${this.#answers}`;
  }
}
