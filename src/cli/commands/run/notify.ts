// `run --notify`: the alerts of the run.
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../exchange/kit/log.ts';
import { alertMonitor, alertRules, alertSender } from '../notify/monitor.ts';
import type { OpenMonitor } from './monitors.ts';
import type { RunPlan } from './plan.ts';

export function openRunAlerts({ notify: targets, config: { notify } }: RunPlan, { clock, log }: { clock: Clock; log: Log }): OpenMonitor {
  return {
    begin(watch) {
      const sender = alertSender(watch.facts.run, notify, { clock, log, targets });
      return alertMonitor(watch, {
        rules: alertRules(notify),
        clock,
        raise: (alert) => sender.send(alert),
        close: () => sender.close(),
      });
    },
  };
}
