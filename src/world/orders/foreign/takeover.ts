// The time in which orders can still turn up, in flight or not listed yet: those from before a start with `--adopt`, `--cancel-foreign` or
// `--ignore-foreign`, and copies of ours at an exchange that executed the same bytes twice.
import type { Millis } from '../../../base/clock.ts';
import type { AccountSeen } from '../../../domain/event.ts';
import { type Lacking, type PassedSince, withWitness } from '../proof.ts';

/**
 * Ends as an unknown order is proved absent: the exchange's time is past the life of bytes that were signed before it began, and two accounts
 * requested after that, LAG apart, have been compared. Whatever these list has been treated as asked by then.
 */
export class Takeover {
  #deadAfter: number | undefined;
  #compared: Lacking | undefined;
  #isOpen: boolean;

  constructor(isOpen: boolean) {
    this.#isOpen = isOpen;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Begins again: bytes signed by now count. */
  open(): void {
    [this.#isOpen, this.#deadAfter, this.#compared] = [true, undefined, undefined];
  }

  /** `deadAfter` is the end of the life of bytes signed by now, in engine seconds. The first call counts. */
  fence(deadAfter: number): void {
    this.#deadAfter ??= deadAfter;
  }

  /** An account has been compared with our orders. Returns true if the takeover ends with it. */
  compared(seen: AccountSeen, passedSince: PassedSince): boolean {
    if (!this.#isOpen || this.#deadAfter === undefined) return false;
    const dead: Millis = passedSince(this.#deadAfter) ?? Number.POSITIVE_INFINITY;
    if (seen.asked < dead) return false;
    this.#compared = withWitness(this.#compared, seen, dead);
    this.#isOpen = this.#compared.again === undefined;
    return !this.#isOpen;
  }
}
