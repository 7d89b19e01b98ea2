// Detects a stuck update id of the account. The id must change with each action of the account and, if it counts the whole exchange, with each trade
// there.
import type { Clock, Millis } from '../../../base/clock.ts';
import type { Account } from '../../../domain/account.ts';
import { contentOf } from '../../kit/streams/account-streams.ts';
import { StuckSequence } from '../../kit/streams/stuck-sequence.ts';

/** Number of consecutive polls in which only the id changed, after which the id is assumed to count the whole exchange. */
const POLLS_TO_DECIDE = 5;

export class StuckAccount {
  readonly #sequence: StuckSequence;
  #last: Account | undefined;
  #movedAlone = 0;

  constructor(clock: Clock) {
    this.#sequence = new StuckSequence(clock);
  }

  /** Records that one of our actions was executed, or one of our orders filled, later than `moment`. */
  executedAfter(moment: Millis): void {
    this.#sequence.happenedAfter(moment);
  }

  /**
   * Records that others traded, later than `moment`. It is undocumented whether that changes the id, so it counts only if the id has been seen to change
   * without our actions.
   */
  tradedAfter(moment: Millis): void {
    if (this.#movedAlone >= POLLS_TO_DECIDE) this.#sequence.happenedAfter(moment);
  }

  /** Called once per poll; returns the id for the `stuck` check of `health`, as `StuckSequence.observe` does. */
  observe(account: Account): string {
    const last = this.#last;
    if (last !== undefined && this.#movedAlone < POLLS_TO_DECIDE) {
      if (account.updateId === last.updateId) this.#movedAlone = 0;
      else if (contentOf(account, { value: false }) === contentOf(last, { value: false })) this.#movedAlone += 1;
    }
    this.#last = account;
    return this.#sequence.observe(account.updateId);
  }
}
