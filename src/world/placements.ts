// When orders were sent, as far back as the limits on their rate look.
import type { Millis } from '../base/clock.ts';

const KEPT: Millis = 60_000;

export class Placements {
  /** Oldest first. */
  #times: readonly Millis[] = [];

  add(count: number, now: Millis): void {
    if (count === 0) return;
    this.#times = [...this.#times.filter((at) => at > now - KEPT), ...Array.from({ length: count }, () => now)];
  }

  /** How many were sent after `from`, which lies within the last minute. */
  since(from: Millis): number {
    return this.#times.length - 1 - this.#times.findLastIndex((at) => at <= from);
  }
}
