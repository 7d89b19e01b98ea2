// Monitoring of a fleet: one page, one address for metrics and one sender of alerts for all runs, and one service for systemd.

import { timeText } from '../../../base/text/duration.ts';
import { type Breach, breachWords } from '../../fleet/limits.ts';
import { say } from '../../host.ts';
import { hasServiceManager, serviceStateOf } from '../../monitoring/service-manager.ts';
import type { Monitor } from '../../monitoring/watch.ts';
import { servedWords } from '../../output/words.ts';
import { serviceOf } from '../run/service.ts';
import { type FleetAlerts, openFleetAlerts } from './alerts.ts';
import type { FleetContext, FleetMonitor, Member } from './member.ts';
import { type FleetMetricsServed, openFleetMetrics } from './metrics.ts';
import { type FleetPage, openFleetPage } from './page.ts';

export interface FleetMonitoring {
  /** Returns the monitors of one run, as arguments of `Member.play`. */
  of(member: Member): Parameters<Member['play']>;
  breached(breach: Breach): void;
  ended(member: Member): void;
  close(): Promise<void>;
}

/** Rejects with a `UserError` if the page, the metrics or the alerts cannot be opened. */
export async function openFleetMonitoring(context: FleetContext): Promise<FleetMonitoring> {
  const { clock, print } = context;
  let page: FleetPage | undefined;
  const alerts: FleetAlerts | undefined = openFleetAlerts(context, () => page?.url);
  page = await openFleetPage(context);
  const metrics: FleetMetricsServed | undefined = await openFleetMetrics(context);
  for (const [kind, url] of [
    ['ui', page?.link],
    ['metrics', metrics?.url],
  ] as const) {
    if (url !== undefined) print(servedWords(kind, url), { kind, url });
  }
  const parts = [alerts, page, metrics, serviceMonitor(context)].filter((part) => part !== undefined);
  return {
    of: (member) => [parts.map((part) => part.monitorOf(member)), metrics?.timed(member)],
    breached(breach) {
      const at = timeText(clock.now());
      print(`${at} LIMIT ${breachWords(breach)}`, { kind: 'limit', at, ...breach });
      alerts?.breached(breach);
    },
    ended: (member) => alerts?.ended(member),
    close: async () => {
      await Promise.all(parts.flatMap((part) => part.close?.() ?? []));
    },
  };
}

/** Reports to systemd: ready when every run is ready or has ended, and alive at each turn of any run. Undefined without systemd. */
function serviceMonitor({ members, host, clock }: FleetContext): FleetMonitor | undefined {
  if (!hasServiceManager(host.env)) return undefined;
  const living = (): readonly Member[] => members.filter(({ code }) => code === undefined);
  const reported = {
    isReady: () => living().every(({ watch }) => watch !== undefined && serviceStateOf(watch).isReady()),
    stopping: () => (living().every(({ watch }) => watch?.stopping !== undefined) ? 'all runs stop' : undefined),
  };
  const log = { warn: (text: string): void => say(host.stderr, text) };
  const service = serviceOf(reported, host, { clock, log });
  const monitor: Monitor = { add: (turn) => service.add(turn) };
  return { monitorOf: () => ({ begin: () => monitor }) };
}
