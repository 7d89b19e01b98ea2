// `fleet --notify`: the alerts of all runs, and of the fleet itself, by one sender for each target.
import { micros } from '../../../domain/numbers.ts';
import type { Alert } from '../../../monitoring/alerts/alert.ts';
import { AlertSender } from '../../../monitoring/alerts/alerts.ts';
import { WatchAlerts } from '../../../monitoring/alerts/watch-alerts.ts';
import { moneyText } from '../../../report/accounting/lines.ts';
import type { Breach, FleetSums } from '../../../run/fleet/limits.ts';
import { say } from '../../host.ts';
import { endingWords } from '../../output/words.ts';
import { targetsOf } from '../notify/targets.ts';
import type { FleetContext, FleetMonitor } from './context.ts';
import type { Member } from './member.ts';

const SECOND = 1_000;

export interface FleetAlerts extends FleetMonitor {
  breached(breach: Breach): void;
  /** Reports a run that never traded; the end of any other is reported by its own watch. */
  ended(member: Member): void;
}

/** Undefined if there is no target. Throws a `UserError` for a target that cannot be used. */
export function openFleetAlerts({ file, flags, host, clock }: FleetContext, sums: () => FleetSums | undefined): FleetAlerts | undefined {
  const { kinds, unknownAfterS, marginShare, groupS, mostAnHour } = file.notify;
  const targets = targetsOf(flags.notify ?? [], file.notify);
  if (targets.length === 0) return undefined;
  const rules = { kinds: new Set(kinds), unknownAfterMs: unknownAfterS * SECOND, marginShare };
  const log = { warn: (text: string): void => say(host.stderr, text) };
  const sender = new AlertSender(`fleet ${file.name}`, { clock, log, targets, groupMs: groupS * SECOND, mostAnHour });
  const send = (alert: Omit<Alert, 'at'>): void => {
    if (rules.kinds.has(alert.kind)) sender.send({ at: clock.now(), ...alert });
  };
  return {
    of: ({ name }) => ({
      begin(watch) {
        const alerts = new WatchAlerts(watch, { rules, raise: (alert) => sender.send({ ...alert, text: `${name}: ${alert.text}` }) });
        alerts.begun(watch.facts.startedAt);
        return {
          add: (turn) => alerts.add(turn),
          ended({ ending }) {
            const settled = ending.kind === 'settled';
            alerts.ended(clock.now(), { settled, words: settled ? 'no order is open' : endingWords(ending) });
          },
          close: () => Promise.resolve(),
        };
      },
      close: () => Promise.resolve(),
    }),
    breached: ({ limit, mode, reason }) =>
      send({ kind: 'mode', severity: 'alarm', text: `${limit} of the fleet: ${reason}; all its runs are ${mode} now` }),
    ended({ name, watch, code }) {
      if (watch === undefined && code !== 0)
        send({ kind: 'run', severity: 'alarm', text: `${name}: ended before it traded, with exit code ${code}` });
    },
    close: async () => {
      const { pnl = 0, drawdown = 0 } = sums() ?? {};
      const text = `the fleet has ended: pnl ${moneyText(micros(pnl))}, drawdown ${moneyText(micros(drawdown))}`;
      send({ kind: 'run', severity: 'info', text });
      await sender.close();
    },
  };
}
