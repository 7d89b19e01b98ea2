// The streams that are unhealthy now, with the reasons.
import type { HealthSeen } from '../domain/event.ts';
import type { Revisions } from './revisions.ts';

export class Health {
  readonly #unsound = new Map<string, HealthSeen>();
  readonly #revisions: Revisions;

  constructor(revisions: Revisions) {
    this.#revisions = revisions;
  }

  unsound(): Iterable<HealthSeen> {
    return this.#unsound.values();
  }

  seen(event: HealthSeen): void {
    const key = `${event.stream}/${event.market ?? ''}`;
    if (event.healthy) this.#unsound.delete(key);
    else this.#unsound.set(key, event);
    this.#revisions.moved('health');
  }
}
