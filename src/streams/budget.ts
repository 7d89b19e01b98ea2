// Our own limit on requests per second, shared by all pollers: a token bucket with two queues. What an answer of 429 changes: `poll.ts`.
import { assert } from '../base/assert.ts';
import type { Clock, Millis } from '../base/clock.ts';

export type Priority = 'high' | 'normal';

/** Refused because too many requests wait already; the budget is too small for the load. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

const MAX_WAITING = 1_000;

export class Budget {
  readonly #clock: Clock;
  readonly #ratePerSecond: number;
  readonly #burst: number;
  readonly #waiting: Record<Priority, (() => void)[]> = { high: [], normal: [] };
  #tokens: number;
  #filledAt: Millis;
  #wakes = false;

  /** `burst` requests may leave at once, then `ratePerSecond`. */
  constructor({ clock, ratePerSecond, burst }: { clock: Clock; ratePerSecond: number; burst: number }) {
    assert(ratePerSecond > 0 && burst >= 1, 'a budget lets at least one request through');
    this.#clock = clock;
    this.#ratePerSecond = ratePerSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAt = clock.now();
  }

  /**
   * Settles when one request may leave: all `high` before any `normal`, each in the order of their calls. Rejects with a BudgetError if 1000 of that
   * priority wait.
   */
  take(priority: Priority): Promise<void> {
    const queue = this.#waiting[priority];
    if (queue.length >= MAX_WAITING)
      return Promise.reject(new BudgetError(`the request budget of ${this.#ratePerSecond} a second is exceeded`));
    return new Promise((resolve) => {
      queue.push(resolve);
      this.#serve();
    });
  }

  #serve(): void {
    this.#fill();
    while (this.#tokens >= 1) {
      const next = this.#waiting.high.shift() ?? this.#waiting.normal.shift();
      if (next === undefined) return;
      this.#tokens -= 1;
      next();
    }
    this.#wakeLater();
  }

  #fill(): void {
    const elapsed = Math.max(0, this.#clock.now() - this.#filledAt);
    this.#tokens = Math.min(this.#burst, this.#tokens + (elapsed * this.#ratePerSecond) / 1_000);
    this.#filledAt = this.#clock.now();
  }

  #wakeLater(): void {
    if (this.#wakes) return;
    this.#wakes = true;
    const wait = Math.ceil(((1 - this.#tokens) * 1_000) / this.#ratePerSecond);
    this.#clock.at(this.#clock.now() + wait, () => {
      this.#wakes = false;
      this.#serve();
    });
  }
}
