// `fleet --metrics`: serves the metrics of all runs at one address.
import { UserError } from '../../../base/errors.ts';
import { needPromClient } from '../run/metrics.ts';
import type { SharedMonitoring } from '../run/monitors.ts';
import { bugReporter, type FleetContext, type FleetMonitor, type Member } from './member.ts';

export interface FleetMetricsServed extends FleetMonitor {
  readonly url: string;
  timed(member: Member): SharedMonitoring['timed'];
}

/** Resolves with undefined without --metrics. Rejects with a `UserError` if the port cannot be used, or if the optional package is not installed. */
export async function openFleetMetrics({ flags, members, host, clock, enforcer }: FleetContext): Promise<FleetMetricsServed | undefined> {
  const { metrics: port } = flags;
  if (port === undefined) return undefined;
  const { fleetMetricsOf, serveMetrics } = await needPromClient(async () => ({
    ...(await import('../../monitoring/metrics/fleet-metrics.ts')),
    ...(await import('../../monitoring/metrics/serve.ts')),
  }));
  const runs = members.map((member) => ({ run: nameOf(member), watch: () => member.watch, state: () => member.state }));
  const metrics = fleetMetricsOf({ clock, runs, states: ['starting', 'running', 'done', 'failed'], sums: () => enforcer.sums });
  const watches = () => members.flatMap(({ watch, code }) => (watch === undefined || code !== undefined ? [] : [watch]));
  const served = await serveMetrics({
    port: port === true ? 0 : port,
    clock,
    metrics,
    watches,
    onBug: bugReporter('the metrics', host),
  });
  const metricsOf = (member: Member) => {
    const own = metrics.of(nameOf(member));
    if (own === undefined) throw new UserError({ code: 'run', message: `${member.name} is not of this fleet` });
    return own;
  };
  return {
    url: `${served.url}/metrics`,
    timed: (member) => (what, work) => metricsOf(member).timed(what, work),
    monitorOf: (member) => {
      const own = metricsOf(member);
      return { begin: () => ({ add: (turn) => own.add(turn) }) };
    },
    close: () => served.close(),
  };
}

const nameOf = ({ plan: { facts } }: Member): string => facts.run;
