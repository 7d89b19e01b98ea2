// Distinguishes a sequence number that is stuck from one that has no reason to change.
import type { Clock, Millis } from '../../../base/clock.ts';

/** Watches one sequence number (`updateId`) of the exchange, and the evidence that it should have changed. */
export class StuckSequence {
  readonly #clock: Clock;
  #number: string | undefined;
  #since: Millis = 0;
  #happened: Millis = Number.NEGATIVE_INFINITY;
  #seen = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records that something that must change the number happened at the exchange, later than `moment` of local time. */
  happenedAfter(moment: Millis): void {
    this.#happened = Math.max(this.#happened, moment);
  }

  /**
   * Called once per answer. Returns the id for the health check's standstill: the number itself while a change is due, and a different text each time
   * while none is due.
   */
  observe(number: string): string {
    if (number !== this.#number) [this.#number, this.#since] = [number, this.#clock.now()];
    this.#seen += 1;
    return this.#happened >= this.#since ? number : `${number}/${this.#seen}`;
  }
}
