// The metrics of several runs of one process: the series of each run with the label `run`, the series of the process once, and sums over all runs.
import { Gauge, Registry } from 'prom-client';
import type { Clock } from '../../../base/clock.ts';
import { MICROS_PER_UNIT } from '../../../bot/domain/numbers.ts';
import type { RunWatch } from '../watch.ts';
import { addProcessMetrics, type Metrics, metricsOf, PREFIX } from './metrics.ts';

/** Totals over all runs, in millionths of the quote token. */
export interface Sums {
  readonly gross: number;
  readonly pnl: number;
  readonly today: number;
  readonly drawdown: number;
}

interface FleetMetricsOptions {
  readonly clock: Clock;
  readonly runs: readonly { readonly run: string; readonly watch: () => RunWatch | undefined; readonly state: () => string }[];
  readonly states: readonly string[];
  readonly sums: () => Sums;
}

export interface FleetMetrics extends Pick<Metrics, 'text' | 'contentType'> {
  /** Undefined for a run that is not of the fleet. */
  of(run: string): Metrics | undefined;
}

export function fleetMetricsOf({ clock, runs, states, sums }: FleetMetricsOptions): FleetMetrics {
  const registry = new Registry();
  addProcessMetrics(registry);
  const gauge = (name: string, help: string, of: (sums: Sums) => number): void => {
    const made: Gauge = new Gauge({
      name: `${PREFIX}fleet_${name}`,
      help,
      registers: [registry],
      collect: () => made.set(of(sums()) / MICROS_PER_UNIT),
    });
  };
  gauge('gross_notional', 'Gross notional of the positions of all runs, quote tokens', ({ gross }) => gross);
  gauge('pnl', 'Profit of all runs since the fleet started to follow them, quote tokens', ({ pnl }) => pnl);
  gauge('pnl_today', 'Profit of all runs since 00:00 UTC, quote tokens', ({ today }) => today);
  gauge('drawdown', 'Current drawdown of the profit of all runs from its peak, quote tokens', ({ drawdown }) => drawdown);
  const counted: Gauge<'state'> = new Gauge({
    name: `${PREFIX}fleet_runs`,
    help: 'Runs by their state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const state of states) counted.set({ state }, runs.filter((one) => one.state() === state).length);
    },
  });
  const metrics = new Map(runs.map(({ run, watch }) => [run, metricsOf({ clock, watch, run })]));
  return {
    of: (run) => metrics.get(run),
    text: async () => merged(await Promise.all([registry.metrics(), ...[...metrics.values()].map((one) => one.text())])),
    contentType: registry.contentType,
  };
}

/** Merges texts with common metrics: the format requires all samples of a metric to follow its single HELP and TYPE lines. */
function merged(texts: readonly string[]): string {
  const metrics = new Map<string, { readonly head: string[]; readonly samples: string[] }>();
  for (const text of texts) {
    let current: { readonly head: string[]; readonly samples: string[] } = { head: [], samples: [] };
    let isFirst = true;
    for (const line of text.split('\n')) {
      const name = /^# HELP (\S+)/.exec(line)?.[1];
      if (name !== undefined) {
        isFirst = !metrics.has(name);
        current = metrics.get(name) ?? { head: [], samples: [] };
        metrics.set(name, current);
      }
      if (line === '') continue;
      if (!line.startsWith('#')) current.samples.push(line);
      else if (isFirst) current.head.push(line);
    }
  }
  return [...metrics.values()].flatMap(({ head, samples }) => [...head, ...samples, '']).join('\n');
}
