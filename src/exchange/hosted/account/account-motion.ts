// What must move the number of an account: whatever is done for it, and where it counts the whole exchange, whatever is done at all.
import type { Clock, Millis } from '../../../base/clock.ts';
import type { Account } from '../../../domain/account.ts';
import { StuckSequence } from '../../kit/stuck-sequence.ts';

/** In so many polls in a row only the number must have changed before it is taken to count more than the account. */
const POLLS_TO_TELL = 5;

export class AccountMotion {
  readonly #standstill: StuckSequence;
  #last: Account | undefined;
  #movedAlone = 0;

  constructor(clock: Clock) {
    this.#standstill = new StuckSequence(clock);
  }

  /** One of our actions was executed, or one of our orders filled, later than `moment`. */
  executedAfter(moment: Millis): void {
    this.#standstill.happenedAfter(moment);
  }

  /** Others traded, later than `moment`. Whether that concerns the number is not documented; it does where it has been seen to move without us. */
  tradedAfter(moment: Millis): void {
    if (this.#movedAlone >= POLLS_TO_TELL) this.#standstill.happenedAfter(moment);
  }

  /** As a Standstill's mark, once a poll. */
  mark(account: Account): string {
    const last = this.#last;
    if (last !== undefined && this.#movedAlone < POLLS_TO_TELL) {
      if (account.updateId === last.updateId) this.#movedAlone = 0;
      else if (contentOf(account) === contentOf(last)) this.#movedAlone += 1;
    }
    this.#last = account;
    return this.#standstill.mark(account.updateId);
  }
}

const contentOf = ({ orders, balances, positions }: Account): string =>
  JSON.stringify([orders, balances, positions.map(({ market, size }) => [market, size])]);
