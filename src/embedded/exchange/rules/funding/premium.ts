// The embedded exchange's own funding: the average premium of the mark over the index in an hour, paid over a day.
import { HOUR, type Millis } from '../../../../base/clock.ts';
import type { Ticks } from '../../../../bot/domain/numbers.ts';
import type { FundingTerms } from '../../state/funding.ts';

/** The premium is paid over a day: an hour's rate is a twenty-fourth of the hour's average premium. */
const HOURS_OF_PREMIUM = 24;

/** Paid on the index, each full hour or at another interval, with the rate of an hour. */
export class Premium implements FundingTerms {
  readonly paidOn = 'index';
  readonly #every: Millis;
  #premiums = 0;
  #samples = 0;

  constructor(every: Millis = HOUR) {
    this.#every = every;
  }

  sample({ mark, index }: { mark: Ticks; index: Ticks }): void {
    this.#premiums += (mark - index) / index;
    this.#samples++;
  }

  /** The rate if the hour ended now; undefined just after a payment. */
  get hourlyRate(): number | undefined {
    return this.#samples === 0 ? undefined : this.#premiums / this.#samples / HOURS_OF_PREMIUM;
  }

  next(now: Millis): Millis {
    return now - (now % this.#every) + this.#every;
  }

  takeDue(now: Millis): number | undefined {
    if (now % this.#every !== 0) return undefined;
    const rate = this.hourlyRate ?? 0;
    this.#premiums = 0;
    this.#samples = 0;
    return rate;
  }
}
