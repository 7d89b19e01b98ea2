// What a process has read that proves its orders gone: the exchange's time after their bytes had expired, two accounts after both
// clocks had shown that, and a round of its trades.
import type { Millis } from '../../../base/clock.ts';
import type { Event } from '../../../bot/domain/event.ts';

/** Two accounts that are requested at least this many milliseconds apart are independent evidence. */
export const ACCOUNTS_APART: Millis = 2_000;
/** Bytes that were signed before the run closed are dead by its own clock after this time. */
const LONGEST_LIFE: Millis = 63_000;

export class ProofReads {
  /** When the bytes of all orders were first known to have expired. */
  #deadAt: Millis | undefined;
  /** Our time when the bytes are dead by our own clock. */
  #outlivedAt: Millis | undefined;
  #firstAsked: Millis | undefined;
  #secondAt: Millis | undefined;
  isComplete = false;

  /** Adds the events of a turn. `deadAfter`: when the bytes of all orders without an answer have expired, in seconds of the exchange. */
  add(events: readonly Event[], deadAfter: number): void {
    for (const event of events) {
      this.#outlivedAt ??= event.at + LONGEST_LIFE;
      if (event.kind === 'clockJumped') this.#outlivedAt += event.by;
      if (event.kind === 'clockJumped') this.#beginAt(this.#deadAt === undefined ? undefined : event.at);
      else if (event.kind === 'timeSeen') this.#timeSeen(event, deadAfter);
      else if (event.kind === 'accountSeen') this.#accountSeen(event);
      else if (event.kind === 'fillsSeen' && event.asked >= (this.#secondAt ?? Infinity)) this.isComplete = true;
    }
  }

  #timeSeen({ at, engineSeconds }: Extract<Event, { kind: 'timeSeen' }>, deadAfter: number): void {
    const areDead = engineSeconds > deadAfter;
    if (areDead !== (this.#deadAt !== undefined)) this.#beginAt(areDead ? at : undefined);
  }

  #beginAt(deadAt: Millis | undefined): void {
    this.#deadAt = deadAt;
    [this.#firstAsked, this.#secondAt, this.isComplete] = [undefined, undefined, false];
  }

  #accountSeen({ asked, at }: Extract<Event, { kind: 'accountSeen' }>): void {
    if (asked < Math.max(this.#deadAt ?? Infinity, this.#outlivedAt ?? Infinity)) return;
    this.#firstAsked ??= asked;
    if (asked >= this.#firstAsked + ACCOUNTS_APART) this.#secondAt ??= at;
  }
}
