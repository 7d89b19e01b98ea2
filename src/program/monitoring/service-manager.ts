// Reports to systemd that a run is ready, alive, or stopping. Uses the program systemd-notify, because Node has no Unix datagram sockets.
import type { Clock, Millis } from '../../base/clock.ts';
import type { Turn } from '../../bot/domain/turn.ts';
import type { RunWatch } from './watch.ts';

export interface ServiceManagerOptions {
  readonly clock: Clock;
  /** Environment of the process: systemd sets NOTIFY_SOCKET for Type=notify, and WATCHDOG_USEC for WatchdogSec. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Starts `systemd-notify` with these arguments; does not wait for it. */
  readonly notify: (states: readonly string[]) => void;
}

/** The state to report, of one run or of all runs of the process together. */
export interface ServiceState {
  readonly isReady: () => boolean;
  /** The reason for stopping; undefined while trading. */
  readonly stopping: () => string | undefined;
}

/** True if systemd expects notifications from this process. */
export const hasServiceManager = (env: ServiceManagerOptions['env']): boolean => (env['NOTIFY_SOCKET'] ?? '') !== '';

export class ServiceManager {
  readonly #options: ServiceManagerOptions;
  readonly #reported: ServiceState;
  /** Interval of watchdog notifications; undefined if systemd has no watchdog for this process. */
  readonly #everyMs: Millis | undefined;
  #hasReportedReady = false;
  #hasReportedStop = false;
  #sentAt: Millis = -Infinity;

  constructor(reported: ServiceState, options: ServiceManagerOptions) {
    this.#reported = reported;
    this.#options = options;
    const micros = Number(options.env['WATCHDOG_USEC'] ?? '0');
    this.#everyMs = micros > 0 ? micros / 1_000 / 3 : undefined; // systemd restarts the process after WATCHDOG_USEC without a notification
  }

  /** Sends what has to be reported. Only turns call it, so systemd restarts a run without turns. */
  add({ at }: Pick<Turn, 'at'>): void {
    const states: string[] = [];
    if (!this.#hasReportedReady && this.#reported.isReady()) {
      this.#hasReportedReady = true;
      states.push('READY=1');
    }
    const stopping = this.#hasReportedStop ? undefined : this.#reported.stopping();
    if (stopping !== undefined) {
      this.#hasReportedStop = true;
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
export const serviceStateOf = (watch: RunWatch): ServiceState => ({
  isReady: () => watch.account !== undefined && [...watch.markets.values()].every(({ book }) => book !== undefined),
  stopping: () => watch.stopping,
});
