// What a run has to be told of its own clock before it decides.
import type { Clock, Millis } from '../../base/clock.ts';
import type { ClockJumped, TimerFired } from '../../domain/event.ts';

/** Events that wait longer for their turn make it a turn of the past. */
const LONGEST_WAIT: Millis = 1_000;

export class ClockWatch {
  readonly #clock: Clock;
  #skipped: Millis;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#skipped = clock.skipped();
  }

  /**
   * The event that a turn needs in order to decide by the present time, where the newest of its events came at `latest`: the machine slept since the last
   * look, or the process was stopped before the turn. Undefined where neither is so.
   */
  look(latest: Millis): ClockJumped | TimerFired | undefined {
    const [at, skipped] = [this.#clock.now(), this.#clock.skipped()];
    const by = skipped - this.#skipped;
    this.#skipped = skipped;
    if (by > 0) return { kind: 'clockJumped', at, by };
    return at - latest > LONGEST_WAIT ? { kind: 'timerFired', at } : undefined;
  }
}
