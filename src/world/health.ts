// The unhealthy streams with their reasons, the session, and the last clock jump.
import type { Millis } from '../base/clock.ts';
import type { ClockJumped, HealthSeen, SessionSeen } from '../domain/event.ts';
import type { Revisions } from './revisions.ts';

export class Health {
  readonly #unhealthy = new Map<string, HealthSeen>();
  readonly #revisions: Revisions;
  /** The time of the first event. */
  began: Millis | undefined;
  session: SessionSeen | undefined;
  jumped: ClockJumped | undefined;

  constructor(revisions: Revisions) {
    this.#revisions = revisions;
  }

  unhealthy(): Iterable<HealthSeen> {
    return this.#unhealthy.values();
  }

  apply(event: HealthSeen | SessionSeen | ClockJumped): void {
    if (event.kind === 'healthSeen') this.#seen(event);
    else if (event.kind === 'sessionSeen') this.session = event;
    else this.jumped = event;
  }

  #seen(event: HealthSeen): void {
    const key = `${event.stream}/${event.market ?? ''}`;
    if (event.healthy) this.#unhealthy.delete(key);
    else this.#unhealthy.set(key, event);
    this.#revisions.moved('health');
  }
}
