// `fleet --notify`: sends the alerts of all runs and of the fleet itself, with one sender per target.

import { moneyText } from '../../../bot/accounting/lines.ts';
import { micros } from '../../../bot/domain/numbers.ts';
import { type Breach, breachWords } from '../../fleet/limits.ts';
import { say } from '../../host.ts';
import { targetsOf } from '../../monitoring/alerts/addresses.ts';
import type { Alert } from '../../monitoring/alerts/alert.ts';
import { alertMonitor, alertRules, alertSender } from '../notify/monitor.ts';
import type { FleetContext, FleetMonitor, Member } from './member.ts';

export interface FleetAlerts extends FleetMonitor {
  breached(breach: Breach): void;
  /** Reports the end of a run that never traded. The end of any other run is reported by its own alerts. */
  ended(member: Member): void;
}

/** `page` returns the address of the fleet's page. Returns undefined without targets. Throws a `UserError` for a target that cannot be used. */
export function openFleetAlerts({ file, host, clock, enforcer }: FleetContext, page: () => string | undefined): FleetAlerts | undefined {
  const targets = targetsOf(file.notify);
  if (targets.length === 0) return undefined;
  const rules = alertRules(file.notify);
  const log = { warn: (text: string): void => say(host.stderr, text) };
  const sender = alertSender(`fleet ${file.name}`, file.notify, { clock, log, targets, about: () => ({ page: page() }) });
  const breaches: Breach[] = [];
  /** True for a mode alert that a fleet limit caused: its text ends with the limit's reason. It is not sent, because the limit has its own alert. */
  const isCausedByFleetLimit = ({ kind, text }: Alert): boolean => kind === 'mode' && breaches.some(({ reason }) => text.endsWith(reason));
  const send = (alert: Omit<Alert, 'at'>): void => {
    if (rules.kinds.has(alert.kind)) sender.send({ at: clock.now(), ...alert });
  };
  return {
    monitorOf: (member) => ({
      begin: (watch) =>
        alertMonitor(watch, {
          rules,
          clock,
          killSwitch: () => member.killSwitch,
          raise: (alert) => {
            if (!isCausedByFleetLimit(alert)) sender.send({ ...alert, text: `${member.name}: ${alert.text}` });
          },
        }),
    }),
    breached(breach) {
      breaches.push(breach);
      send({ kind: 'mode', severity: 'alarm', text: breachWords(breach) });
    },
    ended({ name, watch, code }) {
      if (watch === undefined && code !== 0)
        send({ kind: 'run', severity: 'alarm', text: `${name}: ended before it traded, with exit code ${code}` });
    },
    close: async () => {
      const { pnl, drawdown } = enforcer.sums;
      const text = `the fleet has ended: profit ${moneyText(micros(pnl))}, drawdown ${moneyText(micros(drawdown))}`;
      send({ kind: 'run', severity: 'info', text });
      await sender.close();
    },
  };
}
