// Alarms of this turn, for the turn's result. An alarm that would repeat is raised once a name and market.
import type { Alarm } from '../domain/turn.ts';

const NONE: readonly Alarm[] = [];

export class Alarms {
  readonly #raised = new Set<string>();
  #waiting: Alarm[] = [];

  raise(alarm: Alarm): void {
    this.#waiting.push(alarm);
  }

  /** Raises an alarm of a kind that would repeat: only the first of its name and market is raised. */
  raiseOnce(alarm: Alarm): void {
    const key = `${alarm.name}/${alarm.market ?? ''}`;
    if (this.#raised.has(key)) return;
    this.#raised.add(key);
    this.raise(alarm);
  }

  /** The alarms raised since the last call. The same empty list if there are none. */
  take(): readonly Alarm[] {
    if (this.#waiting.length === 0) return NONE;
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}
