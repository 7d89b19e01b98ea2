// Which streams are unsound now, and why.
import type { HealthSeen } from '../domain/event.ts';

export class Health {
  readonly #unsound = new Map<string, HealthSeen>();
  #stakes = 0;

  /** Another number whenever a stream was told of. */
  get stakes(): number {
    return this.#stakes;
  }

  unsound(): Iterable<HealthSeen> {
    return this.#unsound.values();
  }

  seen(event: HealthSeen): void {
    const key = `${event.stream}/${event.market ?? ''}`;
    if (event.healthy) this.#unsound.delete(key);
    else this.#unsound.set(key, event);
    this.#stakes++;
  }
}
