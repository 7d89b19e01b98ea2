// Detects that the machine slept or the process was suspended, before a turn decides. A clock that is off by minutes
// is no danger to orders: they are signed with the exchange's own time (`venues/hosted/session/engine-time.ts`).
import type { Clock, Millis } from '../../../base/clock.ts';
import type { ClockJumped, TimerFired } from '../../domain/event.ts';

/** If the newest event is older than this, the turn needs the current time. */
const LONGEST_WAIT: Millis = 1_000;

export class ClockWatch {
  readonly #clock: Clock;
  #skipped: Millis;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#skipped = clock.skipped();
  }

  /**
   * Returns an event with the current time for a turn whose newest event came at `latest`, if the machine slept since the last call or the process
   * was suspended before the turn. Undefined otherwise.
   */
  check(latest: Millis): ClockJumped | TimerFired | undefined {
    const [at, skipped] = [this.#clock.now(), this.#clock.skipped()];
    const by = skipped - this.#skipped;
    this.#skipped = skipped;
    if (by > 0) return { kind: 'clockJumped', at, by };
    return at - latest > LONGEST_WAIT ? { kind: 'timerFired', at } : undefined;
  }
}
