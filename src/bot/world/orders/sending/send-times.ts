// The times at which orders were sent, for the rate limits.
import type { Millis } from '../../../../base/clock.ts';

const KEPT: Millis = 60_000;

export class SendTimes {
  /** Oldest first; those before `#first` are too old to be needed. */
  #times: Millis[] = [];
  #first = 0;

  /** Adds the times of earlier processes, oldest first. Called before the first `add`. */
  inherit(times: readonly Millis[]): void {
    this.#times.push(...times);
  }

  add(count: number, now: Millis): void {
    for (let sent = 0; sent < count; sent++) this.#times.push(now);
    while (this.#first < this.#times.length && this.#times[this.#first]! <= now - KEPT) this.#first++;
    if (this.#first <= this.#times.length >> 1) return;
    this.#times = this.#times.slice(this.#first);
    this.#first = 0;
  }

  /** Number of orders sent after `from`, which must lie within the last minute. */
  since(from: Millis): number {
    let at = this.#times.length;
    while (at > this.#first && this.#times[at - 1]! > from) at--;
    return this.#times.length - at;
  }
}
