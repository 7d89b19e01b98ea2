// What we were told to do no more: the reason of a stop, and the mode, which only rises.
import type { Command } from '../domain/event.ts';
import { isStricter, type Mode } from '../domain/mode.ts';
import type { Alarms } from './alarms.ts';

export class Commands {
  readonly #alarms: Alarms;
  #stopping: string | undefined;
  #mode: Mode = 'active';
  #stakes = 0;

  constructor(alarms: Alarms) {
    this.#alarms = alarms;
  }

  get stopping(): string | undefined {
    return this.#stopping;
  }

  get mode(): Mode {
    return this.#mode;
  }

  /** Another number whenever we were told something. */
  get stakes(): number {
    return this.#stakes;
  }

  heed(command: Command): void {
    const { reason } = command;
    this.#stakes++;
    if (command.command === 'stop') this.#stopping ??= reason;
    else if (isStricter(command.mode, this.#mode)) {
      this.#mode = command.mode;
      this.#alarms.raise({ name: 'mode', reason: `${command.mode}: ${reason}` });
    }
  }
}
