// Converts the exchange's time to ours, so that what the exchange dates stands in order with what the run dates.
import { type Millis, SECOND } from '../base/clock.ts';
import type { TimeSeen } from '../bot/domain/event.ts';

export class ExchangeClock {
  #least = -Infinity;
  #most = Infinity;

  /** Milliseconds by which the exchange's clock is ahead of ours: the smallest difference that explains all answers; 0 before the first. */
  get offset(): Millis {
    return Math.min(Math.max(0, this.#least), this.#most);
  }

  /** Uses an answer to the question for the time: whole seconds, and true at some moment between question and answer. */
  add({ engineSeconds, asked, at, isOwn }: Pick<TimeSeen, 'engineSeconds' | 'asked' | 'at' | 'isOwn'>): void {
    if (isOwn) return;
    const [least, most] = [engineSeconds * SECOND - at, (engineSeconds + 1) * SECOND - asked];
    if (least > this.#most || most < this.#least) [this.#least, this.#most] = [least, most]; // one of the clocks was set
    this.#least = Math.max(this.#least, least);
    this.#most = Math.min(this.#most, most);
  }

  /** Returns our time of an event that the exchange dates `time`: not before its cause, and not after it was read. */
  ours(
    time: Millis,
    { since = -Infinity, until = Infinity }: { readonly since?: Millis | undefined; readonly until?: Millis | undefined },
  ): Millis {
    return Math.min(until, Math.max(since, time - this.offset));
  }
}
