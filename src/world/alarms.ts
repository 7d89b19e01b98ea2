// What a person must be told at once, each cause once, until the turn takes it.
import type { Alarm } from '../domain/turn.ts';

const NONE: readonly Alarm[] = [];

export class Alarms {
  readonly #told = new Set<string>();
  #waiting: Alarm[] = [];

  raise(alarm: Alarm): void {
    this.#waiting.push(alarm);
  }

  /** Of a kind that would be told again and again: the first of its market stands for all. */
  raiseOnce(alarm: Alarm): void {
    const key = `${alarm.name}/${alarm.market ?? ''}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.raise(alarm);
  }

  /** Those since this was last asked; the same empty list whenever there are none. */
  take(): readonly Alarm[] {
    if (this.#waiting.length === 0) return NONE;
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}
