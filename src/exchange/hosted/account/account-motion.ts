// Watches for an account whose update id is stuck. The id must change with everything done for the account and, if it counts the whole exchange, with
// every trade there.
import type { Clock, Millis } from '../../../base/clock.ts';
import type { Account } from '../../../domain/account.ts';
import { StuckSequence } from '../../kit/streams/stuck-sequence.ts';

/** Number of polls in a row in which only the id changed, after which the id is taken to count more than the account. */
const POLLS_TO_TELL = 5;

export class AccountMotion {
  readonly #standstill: StuckSequence;
  #last: Account | undefined;
  #movedAlone = 0;

  constructor(clock: Clock) {
    this.#standstill = new StuckSequence(clock);
  }

  /** Records that one of our actions was executed, or one of our orders filled, later than `moment`. */
  executedAfter(moment: Millis): void {
    this.#standstill.happenedAfter(moment);
  }

  /**
   * Records that others traded, later than `moment`. It is not documented whether this changes the id; it counts if the id has been seen to change
   * without us.
   */
  tradedAfter(moment: Millis): void {
    if (this.#movedAlone >= POLLS_TO_TELL) this.#standstill.happenedAfter(moment);
  }

  /** Called once per poll; returns what `StuckSequence.mark` returns. */
  observe(account: Account): string {
    const last = this.#last;
    if (last !== undefined && this.#movedAlone < POLLS_TO_TELL) {
      if (account.updateId === last.updateId) this.#movedAlone = 0;
      else if (contentOf(account) === contentOf(last)) this.#movedAlone += 1;
    }
    this.#last = account;
    return this.#standstill.observe(account.updateId);
  }
}

const contentOf = ({ orders, balances, positions }: Account): string =>
  JSON.stringify([orders, balances, positions.map(({ market, size }) => [market, size])]);
