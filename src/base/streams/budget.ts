// Our own limit on requests per second, shared by all pollers: a token bucket with two queues. A request may count as several (its weight). How an
// answer of 429 changes the wait of a poll: `poll.ts`.

import type { Clock, Millis } from '../clock.ts';
import { assert } from '../errors.ts';

export type Priority = 'high' | 'normal';

/** Refused because too many requests wait already; the budget is too small for the load. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

const MAX_WAITING = 1_000;

interface Waiting {
  readonly weight: number;
  readonly leave: () => void;
}

export class Budget {
  readonly #clock: Clock;
  readonly #ratePerSecond: number;
  readonly #burst: number;
  readonly #waiting: Record<Priority, Waiting[]> = { high: [], normal: [] };
  #tokens: number;
  #filledAt: Millis;
  /** True while a timer is set that serves the queues. */
  #willWake = false;

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
   * Resolves when a request of this weight may leave. All `high` requests leave before any `normal` one; requests of one priority leave in the order of
   * their calls. A weight above the burst counts as the burst. Rejects with a BudgetError if 1000 requests of that priority wait.
   */
  take(priority: Priority, weight = 1): Promise<void> {
    const queue = this.#waiting[priority];
    if (queue.length >= MAX_WAITING)
      return Promise.reject(new BudgetError(`the request budget of ${this.#ratePerSecond} a second is exceeded`));
    return new Promise((resolve) => {
      queue.push({ weight: Math.min(weight, this.#burst), leave: resolve });
      this.#serve();
    });
  }

  #serve(): void {
    this.#addTokens();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (this.#tokens < next.weight) return this.#wakeLater(next.weight);
      (this.#waiting.high.shift() ?? this.#waiting.normal.shift())?.leave();
      this.#tokens -= next.weight;
    }
  }

  #next(): Waiting | undefined {
    return this.#waiting.high[0] ?? this.#waiting.normal[0];
  }

  #addTokens(): void {
    const elapsed = Math.max(0, this.#clock.now() - this.#filledAt);
    this.#tokens = Math.min(this.#burst, this.#tokens + (elapsed * this.#ratePerSecond) / 1_000);
    this.#filledAt = this.#clock.now();
  }

  #wakeLater(weight: number): void {
    if (this.#willWake) return;
    this.#willWake = true;
    const wait = Math.ceil(((weight - this.#tokens) * 1_000) / this.#ratePerSecond);
    this.#clock.at(this.#clock.now() + wait, () => {
      this.#willWake = false;
      this.#serve();
    });
  }
}
