// How soon a session may be opened again: at once after the first loss, then with growing pauses, and only so often an hour.
import type { Millis } from '../../../base/clock.ts';
import type { Rng } from '../../../base/rng.ts';
import { HostedError } from '../client/client.ts';

const FIRST_PAUSE: Millis = 1_000;
const LONGEST_PAUSE: Millis = 60_000;
const QUESTIONS_AGAIN: Millis = 2_000;
const HOUR: Millis = 3_600_000;
/** The number of sessions per user is limited, and a new one removes another of the same user; a loop must not empty the list. */
const MOST_AN_HOUR = 20;

export class Reopening {
  readonly #rng: Rng;
  #attempts: readonly Millis[] = [];
  #sinceLastLived = 0;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  /** Returns how long the next attempt must wait; the attempt counts from now on. */
  next(now: Millis): Millis {
    const lastHour = this.#attempts.filter((attempt) => attempt > now - HOUR);
    const nth = this.#sinceLastLived++;
    const grown = nth === 0 ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (nth - 1)) * (0.5 + this.#rng.next() / 2);
    const full = lastHour.length < MOST_AN_HOUR ? 0 : (lastHour.at(-MOST_AN_HOUR) ?? now) + HOUR - now;
    const pause = Math.floor(Math.max(grown, full));
    this.#attempts = [...lastHour, now + pause];
    return pause;
  }

  /**
   * Returns how long to wait after an attempt that failed. A request without an answer has removed no session: its repetition does not count as
   * another attempt.
   */
  failed(error: unknown, now: Millis): Millis {
    return error instanceof HostedError ? this.#retry(now) : this.next(now);
  }

  /** Records that a session lived until it was due for renewal: what follows is not another failure in a row. */
  lived(): void {
    this.#sinceLastLived = 0;
  }

  #retry(now: Millis): Millis {
    const pause = Math.floor(QUESTIONS_AGAIN * (0.5 + this.#rng.next() / 2));
    this.#attempts = [...this.#attempts.slice(0, -1), now + pause];
    return pause;
  }
}
