// `--notify` of `run` and `fleet`: the rules of the configuration, and the monitor that raises the alerts of one run.
import { type Clock, SECOND } from '../../../base/clock.ts';
import type { LoadedConfig } from '../../../bot/run/core/config.ts';
import { reasonOf } from '../../../bot/run/core/ending.ts';
import type { Alert } from '../../monitoring/alerts/alert.ts';
import { AlertSender, type AlertSendOptions } from '../../monitoring/alerts/alerts.ts';
import { type AlertRules, WatchAlerts } from '../../monitoring/alerts/watch-alerts.ts';
import type { Monitor, RunWatch } from '../../monitoring/watch.ts';
import { endingWords } from '../../output/words.ts';

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
  /** Sends the waiting alerts at the end of the run; absent if another run uses the same sender. */
  readonly close?: () => Promise<void>;
}

/** Returns the monitor that raises the alerts of one run. */
export function alertMonitor(watch: RunWatch, { rules, clock, raise, close }: AlertMonitorOptions): Monitor {
  const alerts = new WatchAlerts(watch, { rules, raise });
  alerts.begun(watch.facts.startedAt);
  return {
    add: (turn) => alerts.add(turn),
    ended({ ending }) {
      if (ending.kind === 'settled') alerts.ended(clock.now(), { settled: true, words: 'no order is open' });
      else if (ending.kind === 'unsettled') alerts.ended(clock.now(), { settled: false, words: endingWords(ending) });
      else {
        const orders = ending.settled ? 'all its orders are proved gone' : 'some of its orders are not proved gone';
        alerts.ended(clock.now(), { settled: false, outcome: 'failed', words: `${reasonOf(ending.error)}; ${orders}` });
      }
    },
    ...(close !== undefined && { close }),
  };
}
