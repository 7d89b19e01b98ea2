// Reports to systemd that a run is ready, lives, or stops: by the program systemd-notify, as Node has no datagram sockets.
import type { Clock, Millis } from '../base/clock.ts';
import type { Turn } from '../domain/turn.ts';
import type { RunWatch } from './watch.ts';

export interface ServiceManagerOptions {
  readonly clock: Clock;
  /** Of the process: NOTIFY_SOCKET is set by systemd for Type=notify, WATCHDOG_USEC with WatchdogSec. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs `systemd-notify` with these arguments, and does not wait. */
  readonly notify: (states: readonly string[]) => void;
}

/** What is reported: of one run, or of all runs of the process together. */
export interface Reported {
  readonly isReady: () => boolean;
  /** Why it stops; undefined while it trades. */
  readonly stopping: () => string | undefined;
}

/** True if systemd waits to hear of this process. */
export const hasServiceManager = (env: ServiceManagerOptions['env']): boolean => (env['NOTIFY_SOCKET'] ?? '') !== '';

export class ServiceManager {
  readonly #options: ServiceManagerOptions;
  readonly #reported: Reported;
  /** Undefined if systemd does not watch. */
  readonly #everyMs: Millis | undefined;
  #ready = false;
  #stopping = false;
  #sentAt: Millis = -Infinity;

  constructor(reported: Reported, options: ServiceManagerOptions) {
    this.#reported = reported;
    this.#options = options;
    const micros = Number(options.env['WATCHDOG_USEC'] ?? '0');
    this.#everyMs = micros > 0 ? micros / 1_000 / 3 : undefined;
  }

  /** The watchdog is notified only here, so systemd restarts a run that has no more turns. */
  add({ at }: Pick<Turn, 'at'>): void {
    const states: string[] = [];
    if (!this.#ready && this.#reported.isReady()) {
      this.#ready = true;
      states.push('READY=1');
    }
    const stopping = this.#stopping ? undefined : this.#reported.stopping();
    if (stopping !== undefined) {
      this.#stopping = true;
      states.push('STOPPING=1', `STATUS=stopping: ${stopping}`);
    }
    if (this.#everyMs !== undefined && at >= this.#sentAt + this.#everyMs) {
      this.#sentAt = at;
      states.push('WATCHDOG=1');
    }
    if (states.length > 0) this.#options.notify(states);
  }
}

/** A run is ready when all data that a strategy uses has arrived. */
export const reportedOf = (watch: RunWatch): Reported => ({
  isReady: () => watch.account !== undefined && [...watch.markets.values()].every(({ book }) => book !== undefined),
  stopping: () => watch.stopping,
});
