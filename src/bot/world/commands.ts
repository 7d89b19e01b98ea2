// The commands received so far: why the run stops, its mode, which can only become stricter, and what its fleet allows it.
import type { Command } from '../domain/event.ts';
import { isStricter, type Mode } from '../domain/mode.ts';
import type { Alarms } from './alarms.ts';
import type { Revisions } from './revisions.ts';

/** What the worst case of a run may be worth. */
export interface Allowance {
  /** In millionths of the quote token. */
  readonly notional: number;
  readonly reason: string;
}

export class Commands {
  readonly #alarms: Alarms;
  #stopping: string | undefined;
  #mode: Mode = 'active';
  #modeReason: string | undefined;
  #allowance: Allowance | undefined;
  readonly #revisions: Revisions;

  constructor(alarms: Alarms, revisions: Revisions) {
    this.#alarms = alarms;
    this.#revisions = revisions;
  }

  get stopping(): string | undefined {
    return this.#stopping;
  }

  get mode(): Mode {
    return this.#mode;
  }

  /** Why the mode is not `active`; undefined while it is. */
  get modeReason(): string | undefined {
    return this.#modeReason;
  }

  /** Undefined outside of a fleet, and in a fleet without that limit. */
  get allowance(): Allowance | undefined {
    return this.#allowance;
  }

  apply(command: Command): void {
    const { reason } = command;
    if (command.command === 'count-anew') return;
    if (command.command === 'allow') {
      this.#allowance = { notional: command.notional, reason };
      this.#revisions.markChanged('allowance');
      return;
    }
    this.#revisions.markChanged('mode');
    if (command.command === 'stop') this.#stopping ??= reason;
    else if (isStricter(command.mode, this.#mode)) {
      this.#mode = command.mode;
      this.#modeReason = reason;
      this.#alarms.raise({ name: 'mode', reason });
    }
  }
}
