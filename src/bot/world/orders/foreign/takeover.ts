// The time in which orders can still turn up, in flight or not listed yet: those from before a start with `--adopt`, `--cancel-foreign` or
// `--ignore-foreign`, and copies of ours at an exchange that executed the same bytes twice.
import type { Millis } from '../../../../base/clock.ts';
import type { AccountSeen } from '../../../domain/event.ts';
import type { DeadSince, SignedBytes } from '../expiry.ts';
import { type Absence, withAbsence } from '../proof.ts';

/**
 * Ends under the same proof as for an unknown order: every action signed before it began has expired, and two accounts
 * requested after that, at least LAG apart, have been compared. Orders in these accounts have then been adopted, cancelled or ignored, as the option says.
 */
export class Takeover {
  #bytes: SignedBytes | undefined;
  #compared: Absence | undefined;
  #isOpen: boolean;

  constructor(isOpen: boolean) {
    this.#isOpen = isOpen;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Restarts the takeover; actions signed until now are included. */
  open(): void {
    [this.#isOpen, this.#bytes, this.#compared] = [true, undefined, undefined];
  }

  /** `deadAfter` is the end of the life of bytes signed by `signedBy`, in engine seconds. Later calls are ignored. */
  setExpiry(deadAfter: number, signedBy: Millis): void {
    this.#bytes ??= { deadAfter, signedBy };
  }

  /** Call it when an account has been compared with our orders. Returns true if this ends the takeover. */
  accountCompared(seen: AccountSeen, deadSince: DeadSince): boolean {
    if (!this.#isOpen || this.#bytes === undefined) return false;
    const dead: Millis = deadSince(this.#bytes) ?? Number.POSITIVE_INFINITY;
    if (seen.asked < dead) return false;
    this.#compared = withAbsence(this.#compared, seen, dead);
    this.#isOpen = this.#compared.again === undefined;
    return !this.#isOpen;
  }
}
