// Detects a stuck account: its update id or its content stays the same although it must have changed. An id must change with each action of the account
// and, if it counts the whole exchange, with each trade there. The content must change with each fill.
import type { Clock, Millis } from '../../../../base/clock.ts';
import type { Account } from '../../../domain/account.ts';
import type { ClientRules } from '../venue-client.ts';
import { contentOf } from './account-streams.ts';
import { StuckSequence } from './stuck-sequence.ts';

/** Number of consecutive polls in which only the id changed, after which the id is assumed to count the whole exchange. */
const POLLS_TO_DECIDE = 5;

export class StuckAccount {
  readonly #sequence: StuckSequence;
  readonly #revision: ClientRules['revision'];
  #last: Account | undefined;
  /** Number of polls in a row in which the id changed and nothing else did. */
  #idChangedAlone = 0;

  constructor(clock: Clock, { revision }: Pick<ClientRules, 'revision'>) {
    this.#sequence = new StuckSequence(clock);
    this.#revision = revision;
  }

  /** Records that one of our orders was filled later than `moment`. */
  filledAfter(moment: Millis): void {
    this.#sequence.happenedAfter(moment);
  }

  /** Records that one of our actions was executed later than `moment`. */
  executedAfter(moment: Millis): void {
    if (this.#revision === 'number') this.#sequence.happenedAfter(moment);
  }

  /**
   * Records that others traded, later than `moment`. It is undocumented whether that changes the id, so it counts only if the id has been seen to change
   * without our actions.
   */
  tradedAfter(moment: Millis): void {
    if (this.#idChangedAlone >= POLLS_TO_DECIDE) this.#sequence.happenedAfter(moment);
  }

  /** Called once per poll; returns the id for the `stuck` check of `health`, as `StuckSequence.observe` does. */
  observe(account: Account): string {
    if (this.#revision === 'content') return this.#sequence.observe(contentOf(account, { value: true }));
    const last = this.#last;
    if (last !== undefined && this.#idChangedAlone < POLLS_TO_DECIDE) {
      if (account.updateId === last.updateId) this.#idChangedAlone = 0;
      else if (contentOf(account, { value: false }) === contentOf(last, { value: false })) this.#idChangedAlone += 1;
    }
    this.#last = account;
    return this.#sequence.observe(account.updateId);
  }
}
