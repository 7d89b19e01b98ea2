// Collects the alarms of a turn. A repeating alarm is raised once per name and market.
import type { Alarm } from '../domain/turn.ts';

const NONE: readonly Alarm[] = [];

export class Alarms {
  readonly #raised = new Set<string>();
  #waiting: Alarm[] = [];

  raise(alarm: Alarm): void {
    this.#waiting.push(alarm);
  }

  /** Raises the alarm unless one of the same name and market was raised before with this method. */
  raiseOnce(alarm: Alarm): void {
    const key = `${alarm.name}/${alarm.market ?? ''}`;
    if (this.#raised.has(key)) return;
    this.#raised.add(key);
    this.raise(alarm);
  }

  /** Returns the alarms raised since the last call. The same empty list if there are none. */
  take(): readonly Alarm[] {
    if (this.#waiting.length === 0) return NONE;
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}
