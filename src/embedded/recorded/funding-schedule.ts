// Funding of a recorded market: paid when the recording said it would be, at the rate that it told last before, and once.
import type { Millis } from '../../base/clock.ts';
import type { FundingTerms } from '../rules/funding.ts';

const HOUR: Millis = 3_600_000;
/** Two payments nearer to each other than this are one, told twice: no exchange pays more often than hourly, and records of payments come late. */
const ONE_PAYMENT: Millis = HOUR / 2;
/** Taken where a recording does not say. */
export const USUAL_INTERVAL: Millis = 8 * HOUR;

/** Rates are fractions for the whole interval; positive: longs pay. */
export class Schedule implements FundingTerms {
  readonly paidOn = 'mark';
  readonly #hours: number;
  #rate: number | undefined;
  #due: Millis | undefined;
  #paid: Millis = Number.NEGATIVE_INFINITY;

  constructor(interval: Millis = USUAL_INTERVAL) {
    this.#hours = interval / HOUR;
  }

  /** As told last; undefined from a payment until the next word. */
  get hourlyRate(): number | undefined {
    return this.#rate === undefined ? undefined : this.#rate / this.#hours;
  }

  next(): Millis | undefined {
    return this.#due;
  }

  /** The recording says what will be paid, and when. */
  expect({ due, rate }: { due: Millis; rate: number }): void {
    if (due - this.#paid < ONE_PAYMENT) return;
    this.#due = due;
    this.#rate = rate;
  }

  /** The step that reaches the time that was told. */
  takeDue(now: Millis): number | undefined {
    if (this.#due === undefined || this.#due > now) return undefined;
    const rate = this.#rate;
    this.#settle(this.#due);
    return rate;
  }

  /** The recording says that it was paid `at` that time: true where that is news, and to be paid here. */
  settled(at: Millis): boolean {
    if (at - this.#paid < ONE_PAYMENT) return false;
    this.#settle(at);
    return true;
  }

  /** What was expected about now is no longer. */
  #settle(at: Millis): void {
    this.#paid = at;
    if (this.#due !== undefined && this.#due - at >= ONE_PAYMENT) return;
    this.#due = undefined;
    this.#rate = undefined;
  }
}
