// Back-off for opening sessions: at once after the first loss, then with growing pauses and an hourly limit. `session.ts` renews sessions.
import { HOUR, type Millis } from '../../../base/clock.ts';
import type { Rng } from '../../../base/rng.ts';
import { ClientError } from '../../../base/transport/client-error.ts';

const FIRST_PAUSE: Millis = 1_000;
const LONGEST_PAUSE: Millis = 60_000;
const RETRY_PAUSE: Millis = 2_000;
/** Hourly limit: sessions per user are limited and a new one replaces another, so a loop must not replace them all. */
const MAX_PER_HOUR = 20;

export class SessionBackOff {
  readonly #rng: Rng;
  #attempts: readonly Millis[] = [];
  #sinceLastLived = 0;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  /** Returns how long the next attempt must wait, and counts that attempt. */
  next(now: Millis): Millis {
    const lastHour = this.#attempts.filter((attempt) => attempt > now - HOUR);
    const nth = this.#sinceLastLived++;
    const grown = nth === 0 ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (nth - 1)) * (0.5 + this.#rng.next() / 2);
    const full = lastHour.length < MAX_PER_HOUR ? 0 : (lastHour.at(-MAX_PER_HOUR) ?? now) + HOUR - now;
    const pause = Math.floor(Math.max(grown, full));
    this.#attempts = [...lastHour, now + pause];
    return pause;
  }

  /**
   * Returns how long to wait after an attempt that failed. A failed request has replaced no session, so its repetition does not count as another
   * attempt.
   */
  failed(error: unknown, now: Millis): Millis {
    return error instanceof ClientError ? this.#retry(now) : this.next(now);
  }

  /** Records that a session lived until its renewal, which resets the back-off. */
  lived(): void {
    this.#sinceLastLived = 0;
  }

  #retry(now: Millis): Millis {
    const pause = Math.floor(RETRY_PAUSE * (0.5 + this.#rng.next() / 2));
    this.#attempts = [...this.#attempts.slice(0, -1), now + pause];
    return pause;
  }
}
