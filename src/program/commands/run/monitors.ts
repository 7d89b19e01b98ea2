// The interfaces of a run's monitors: its page, metrics, alerts and service manager.
import type { Clock } from '../../../base/clock.ts';
import type { AdapterLog } from '../../../bot/exchange/port.ts';
import type { Trading } from '../../../bot/run/core/trading.ts';
import type { State } from '../../../bot/run/state/state.ts';
import type { Host } from '../../host.ts';
import type { StatusExtras } from '../../monitoring/page/status.ts';
import type { Monitor, RunWatch } from '../../monitoring/watch.ts';
import type { Presenter } from '../../output/presenter.ts';
export interface MonitoringContext {
  readonly host: Host;
  readonly clock: Clock;
  readonly state: Pick<State, 'earlier' | 'killSwitch'>;
  readonly log: AdapterLog;
  readonly presenter: Presenter;
  /** Monitors that several runs of this process share. */
  readonly shared: SharedMonitoring | undefined;
}

/** Monitoring that a process with several runs adds to each of them. */
export interface SharedMonitoring {
  readonly monitors: readonly OpenMonitor[];
  readonly timed: Monitoring['timed'];
}

/** A monitor that is opened before the run begins, so that an unusable port fails the start. */
export interface OpenMonitor {
  /** Called when the run begins to trade; the returned monitor receives its turns. */
  begin(watch: RunWatch, extras: () => StatusExtras): Monitor;
  /** Called if the run never began. */
  close?(): Promise<void>;
}

export interface Monitoring {
  /** Runs work and records how long it took. */
  readonly timed: (<Result>(what: 'turn' | 'journal', work: () => Result) => Result) | undefined;
  begin(trading: Trading, extras: () => StatusExtras): void;
  close(): Promise<void>;
}
