// The timers of one run: they end with it, and what throws in one is told.
import type { Cancel, Clock, Millis } from '../../base/clock.ts';

export class Timers {
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  readonly #waiting = new Set<Cancel>();

  constructor(clock: Clock, failed: (error: unknown) => void) {
    this.#clock = clock;
    this.#failed = failed;
  }

  /** After all that is due already. */
  soon(run: () => void): void {
    this.after(0, run);
  }

  after(span: Millis, run: () => void): void {
    const cancel = this.#clock.at(this.#clock.now() + span, () => {
      this.#waiting.delete(cancel);
      try {
        run();
      } catch (error) {
        this.#failed(error);
      }
    });
    this.#waiting.add(cancel);
  }

  clear(): void {
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }
}
