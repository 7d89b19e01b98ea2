// Funding of a recorded market: paid once, at the time in the recording and at the last recorded rate.
import { HOUR, type Millis } from '../../../base/clock.ts';
import type { FundingTerms, PaidFunding } from '../state/funding.ts';

/**
 * Two payments closer together than this are one payment recorded twice: no exchange pays more often than hourly, and records of payments come late.
 */
const ONE_PAYMENT: Millis = HOUR / 2;
/** The interval if a recording does not contain it. */
export const DEFAULT_INTERVAL: Millis = 8 * HOUR;

/** Rates are fractions for the whole interval; positive: longs pay. */
export class Schedule implements FundingTerms {
  readonly paidOn = 'mark';
  readonly #interval: Millis;
  #rate: number | undefined;
  #due: Millis | undefined;
  /** When the last payment was made. */
  #paidAt: Millis = Number.NEGATIVE_INFINITY;
  /** The rate of the last recorded payment. */
  #paidRate: number | undefined;
  /** True once a rate was recorded before its payment. */
  #isAnnounced = false;

  constructor(interval: Millis = DEFAULT_INTERVAL) {
    this.#interval = interval;
  }

  /** The last recorded rate; undefined from a payment until the next row. */
  get hourlyRate(): number | undefined {
    return this.#rate === undefined ? undefined : this.#hourly(this.#rate);
  }

  next(): Millis | undefined {
    return this.#due;
  }

  /** The next payment is expected an interval after the last one; undefined if it did not come. */
  lastPaid(now: Millis): PaidFunding | undefined {
    if (this.#isAnnounced || this.#paidRate === undefined) return undefined;
    const next = this.#paidAt + this.#interval;
    return { hourlyRate: this.#hourly(this.#paidRate), next: next > now ? next : undefined };
  }

  /** Records the next payment's rate and time. */
  expect({ due, rate }: { due: Millis; rate: number }): void {
    this.#isAnnounced = true;
    if (due - this.#paidAt < ONE_PAYMENT) return;
    this.#due = due;
    this.#rate = rate;
  }

  /** Returns the rate at the step that reaches the recorded time. */
  takeDue(now: Millis): number | undefined {
    if (this.#due === undefined || this.#due > now) return undefined;
    const rate = this.#rate;
    this.#settle(this.#due);
    return rate;
  }

  /** Records a payment of the recording. Returns true if it was not paid yet, so that it must be paid now. */
  recordPayment(at: Millis, rate: number): boolean {
    if (at - this.#paidAt < ONE_PAYMENT) return false;
    this.#paidRate = rate;
    this.#settle(at);
    return true;
  }

  #hourly(rate: number): number {
    return rate / (this.#interval / HOUR);
  }

  /** Removes an expected payment around this time. */
  #settle(at: Millis): void {
    this.#paidAt = at;
    if (this.#due !== undefined && this.#due - at >= ONE_PAYMENT) return;
    this.#due = undefined;
    this.#rate = undefined;
  }
}
