// When the bytes of an action can no longer execute. Two clocks must agree: the exchange's, which may be read wrongly, and ours, which cannot be.
import type { Millis } from '../../../base/clock.ts';
import type { ClockJumped } from '../../domain/event.ts';
import type { StatedTime } from '../market/engine-time.ts';

/** What limits the life of signed bytes. */
export interface SignedBytes {
  /** The exchange's time in seconds after which they can never execute. */
  readonly deadAfter: number;
  /** Our time by which they were signed. */
  readonly signedBy: Millis;
  /** How long after `signedBy` they can still execute. If absent: the longest life that signed bytes can have. */
  readonly life?: Millis | undefined;
}

/** Returns since when both clocks show the bytes as dead; undefined if not yet, or if the exchange's time has gone back since. */
export type DeadSince = (bytes: SignedBytes) => Millis | undefined;

/** A jump of our clock. */
interface Jump {
  readonly at: Millis;
  /** Sum of all jumps before this one. */
  readonly before: Millis;
}

/** Jumps are kept for this long without jumps: no bytes live longer. */
const KEPT: Millis = 600_000;

export class Expiry {
  readonly #engineTime: StatedTime;
  readonly #longestLife: Millis;
  #jumps: readonly Jump[] = [];
  /** Sum of all jumps of our clock. */
  #skipped: Millis = 0;
  #began: Millis | undefined;
  /** When our clock last jumped: the times between requests before and after it are unknown. */
  jumpedAt: Millis = 0;

  /** `orderLife`: how many seconds bytes can execute after they were signed. */
  constructor(engineTime: StatedTime, orderLife: number) {
    this.#engineTime = engineTime;
    this.#longestLife = orderLife * 1_000;
  }

  /** Sets the time of the first event. The time of an earlier process proves nothing: what it signed counts as signed at this time. */
  begin(at: Millis): void {
    this.#began ??= at;
  }

  jumped({ at, by }: ClockJumped): void {
    this.#jumps = [...this.#jumps.filter((jump) => jump.at - jump.before > at - this.#skipped - by - KEPT), { at, before: this.#skipped }];
    this.#skipped += by;
    this.jumpedAt = at;
  }

  /**
   * A jump of our clock does not count as time that has passed, because the machine may have slept or its clock may have been set. Accounts requested
   * before the last jump do not count. Example: bytes signed at 100 s with a life of 60 s, and a jump by 1,000 s since: dead from 1,160 s.
   */
  readonly deadSince: DeadSince = ({ deadAfter, signedBy, life = this.#longestLife }) => {
    const past = this.#engineTime.passedSince(deadAfter);
    if (past === undefined) return undefined;
    const from = Math.max(signedBy, this.#began ?? signedBy);
    const skippedThen = this.#jumps.find(({ at }) => at > from)?.before ?? this.#skipped;
    return Math.max(past, from + life + this.#skipped - skippedThen, this.jumpedAt);
  };
}
