// The timers of one run: they end with the run, and report errors.
import type { Cancel, Clock, Millis } from '../../../base/clock.ts';
import { TransientMap } from '../../../base/collections/transient-map.ts';

export class Timers {
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  readonly #waiting = new TransientMap<Cancel, true>();
  /** Counts the calls of `clear`. */
  #cleared = 0;

  constructor(clock: Clock, failed: (error: unknown) => void) {
    this.#clock = clock;
    this.#failed = failed;
  }

  /** Calls `run` after everything that is already due. Not kept among those that wait: there is one for each turn, and it is over at once. */
  soon(run: () => void): void {
    const cleared = this.#cleared;
    this.#clock.at(this.#clock.now(), () => {
      if (cleared === this.#cleared) this.#run(run);
    });
  }

  after(span: Millis, run: () => void): void {
    const cancel = this.#clock.at(this.#clock.now() + span, () => {
      this.#waiting.delete(cancel);
      this.#run(run);
    });
    this.#waiting.set(cancel, true);
  }

  /** Calls `run` after `span` of time in which the machine was awake: time skipped by a clock jump does not count. */
  afterAwake(span: Millis, run: () => void): void {
    const awake = (): Millis => this.#clock.now() - this.#clock.skipped();
    const end = awake() + span;
    this.after(span, () => {
      const left = end - awake();
      if (left > 0) this.afterAwake(left, run);
      else run();
    });
  }

  clear(): void {
    for (const cancel of this.#waiting.keys()) cancel();
    this.#waiting.clear();
    this.#cleared += 1;
  }

  #run(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#failed(error);
    }
  }
}
