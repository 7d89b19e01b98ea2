// Tells a number that stands still from one that has no reason to move.
import type { Clock, Millis } from '../../base/clock.ts';

/** Watches one sequence number (`updateId`) of the exchange beside the evidence that it should have moved. */
export class StuckSequence {
  readonly #clock: Clock;
  #number: string | undefined;
  #since: Millis = 0;
  #happened: Millis = Number.NEGATIVE_INFINITY;
  #seen = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something that must move the number happened at the exchange, later than `moment` of our time. */
  happenedAfter(moment: Millis): void {
    this.#happened = Math.max(this.#happened, moment);
  }

  /** For a health's watch, once an answer: the number itself while it owes us a move, and something new each time while it does not. */
  mark(number: string): string {
    if (number !== this.#number) [this.#number, this.#since] = [number, this.#clock.now()];
    this.#seen += 1;
    return this.#happened >= this.#since ? number : `${number}/${this.#seen}`;
  }
}
