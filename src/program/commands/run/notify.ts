// `run --notify`: the alerts of the run.
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../bot/exchange/kit/log.ts';
import { identityWords } from '../../monitoring/identity.ts';
import { alertMonitor, alertRules, alertSender } from '../notify/monitor.ts';
import type { OpenMonitor } from './monitors.ts';
import type { RunPlan } from './plan.ts';

interface AlertContext {
  readonly clock: Clock;
  readonly log: Log;
  /** Address of the run's page; undefined without one. */
  readonly page: string | undefined;
}

export function openRunAlerts({ notify: targets, config: { notify } }: RunPlan, { clock, log, page }: AlertContext): OpenMonitor {
  return {
    begin(watch) {
      const about = () => ({ identity: watch.identity && identityWords(watch.identity), page });
      const sender = alertSender(watch.facts.run, notify, { clock, log, targets, about });
      return alertMonitor(watch, {
        rules: alertRules(notify),
        clock,
        raise: (alert) => sender.send(alert),
        close: () => sender.close(),
      });
    },
  };
}
