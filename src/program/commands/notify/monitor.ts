// `--notify` of `run` and `fleet`: the rules of the configuration, and the monitor that raises the alerts of one run.
import { type Clock, SECOND } from '../../../base/clock.ts';
import type { KillSwitchState } from '../../../bot/journal/kill-switch.ts';
import type { LoadedConfig } from '../../../bot/run/core/config.ts';
import type { Alert } from '../../monitoring/alerts/alert.ts';
import { AlertSender, type AlertSendOptions } from '../../monitoring/alerts/alerts.ts';
import { type AlertRules, WatchAlerts } from '../../monitoring/alerts/watch-alerts.ts';
import type { Monitor, RunWatch } from '../../monitoring/watch.ts';
import { outcomeOf } from '../../outcome.ts';

type Settings = LoadedConfig['notify'];

export const alertRules = ({ kinds, unknownAfterS, marginShare }: Settings): AlertRules => ({
  kinds: new Set(kinds),
  unknownAfterMs: unknownAfterS * SECOND,
  marginShare,
});

export const alertSender = (
  name: string,
  { groupS, mostAnHour }: Settings,
  options: Omit<AlertSendOptions, 'groupMs' | 'mostAnHour'>,
): AlertSender => new AlertSender(name, { ...options, groupMs: groupS * SECOND, mostAnHour });

export interface AlertMonitorOptions {
  readonly rules: AlertRules;
  readonly clock: Clock;
  readonly raise: (alert: Alert) => void;
  /** Returns the kill switch of the run: who set it says how the run ended. */
  readonly killSwitch: () => KillSwitchState;
  /** Sends the waiting alerts at the end of the run; absent if another run uses the same sender. */
  readonly close?: () => Promise<void>;
}

/** Returns the monitor that raises the alerts of one run. */
export function alertMonitor(watch: RunWatch, { rules, clock, raise, killSwitch, close }: AlertMonitorOptions): Monitor {
  const alerts = new WatchAlerts(watch, { rules, raise });
  alerts.begun(watch.facts.startedAt);
  return {
    add: (turn) => alerts.add(turn),
    ended({ ending }) {
      const { outcome, reason } = outcomeOf(ending, killSwitch());
      const settled = ending.kind === 'settled' || (ending.kind === 'failed' && ending.settled);
      const orders =
        ending.kind === 'unsettled' ? [] : [settled ? 'all its orders are proved gone' : 'some of its orders are not proved gone'];
      alerts.ended(clock.now(), { outcome, words: [...(reason === undefined ? [] : [reason]), ...orders] });
    },
    ...(close !== undefined && { close }),
  };
}
