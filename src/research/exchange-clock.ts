// Converts the exchange's time to ours, so that the exchange's events can be sorted together with those of the run.
import { type Millis, SECOND } from '../base/clock.ts';
import type { TimeSeen } from '../bot/domain/event.ts';

export class ExchangeClock {
  #leastOffset = -Infinity;
  #mostOffset = Infinity;

  /** Milliseconds by which the exchange's clock is ahead of ours: the smallest difference that explains all answers; 0 before the first. */
  get offset(): Millis {
    return Math.min(Math.max(0, this.#leastOffset), this.#mostOffset);
  }

  /** Narrows the offset by a time that the exchange answered: its clock showed `engineSeconds`, whole seconds, at some moment from `asked` to `at`. */
  add({ engineSeconds, asked, at, isOwn }: Pick<TimeSeen, 'engineSeconds' | 'asked' | 'at' | 'isOwn'>): void {
    if (isOwn) return;
    const [least, most] = [engineSeconds * SECOND - at, (engineSeconds + 1) * SECOND - asked];
    if (least > this.#mostOffset || most < this.#leastOffset) [this.#leastOffset, this.#mostOffset] = [least, most]; // one of the two clocks was changed, so earlier answers no longer count
    this.#leastOffset = Math.max(this.#leastOffset, least);
    this.#mostOffset = Math.min(this.#mostOffset, most);
  }

  /** Returns our time of an event that the exchange dates `time`: not before its cause, and not after it was read. */
  ours(
    time: Millis,
    { since = -Infinity, until = Infinity }: { readonly since?: Millis | undefined; readonly until?: Millis | undefined },
  ): Millis {
    return Math.min(until, Math.max(since, time - this.offset));
  }
}
