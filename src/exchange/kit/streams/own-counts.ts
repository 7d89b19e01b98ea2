// Checks an account against its own counts: a reply that counts other orders than it lists is wrong, and proves nothing.
import type { Clock, Millis } from '../../../base/clock.ts';
import type { Log } from '../log.ts';
import { BETWEEN_ACCOUNTS } from '../start-reads.ts';

/** `sameForMs` of a command that cancels all orders of an account, and ends on an empty one. */
export const COUNTS_OTHERWISE_AFTER: Millis = 30_000;

/** A number that a reply states about its orders, and the number that follows from those that it lists. */
export interface OwnCount {
  /** What is counted, for messages: `open orders in BTCPERP`. */
  readonly what: string;
  readonly stated: number;
  readonly listed: number;
}

export interface OwnCountsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** How long the replies of a start must contradict themselves in the same way until the exchange counts as one that counts otherwise. */
  readonly sameForMs?: Millis | undefined;
}

export class OwnCounts {
  readonly #options: OwnCountsOptions;
  #isOff = false;
  /** The contradiction of the last reply of the start, and when it was first received. */
  #contradiction: { readonly text: string; readonly since: Millis } | undefined;

  constructor(options: OwnCountsOptions) {
    this.#options = options;
  }

  /** Throws if the reply contradicts itself. */
  require(counts: readonly OwnCount[]): void {
    const text = this.#isOff ? undefined : contradictionIn(counts);
    if (text !== undefined) throw new Error(text);
  }

  /** As `require`, for the reads of a start. If they contradict themselves in the same way for long, the check is off from then on, with a warning. */
  requireAtStart(counts: readonly OwnCount[]): void {
    const { clock, log, sameForMs = BETWEEN_ACCOUNTS } = this.#options;
    const text = this.#isOff ? undefined : contradictionIn(counts);
    const now = clock.now();
    const before = this.#contradiction;
    this.#contradiction = text === undefined ? undefined : { text, since: before?.text === text ? before.since : now };
    if (this.#contradiction === undefined) return;
    if (now < this.#contradiction.since + sameForMs) throw new Error(text);
    this.#isOff = true;
    log.warn(
      `${text}, in each of several replies: this exchange counts otherwise, so its accounts are not checked against their own counts`,
    );
  }
}

function contradictionIn(counts: readonly OwnCount[]): string | undefined {
  const wrong = counts.filter(({ stated, listed }) => stated !== listed);
  if (wrong.length === 0) return undefined;
  return `the account contradicts itself: it counts ${wrong.map(({ what, stated, listed }) => `${stated} ${what} and lists ${listed}`).join(', ')}`;
}
