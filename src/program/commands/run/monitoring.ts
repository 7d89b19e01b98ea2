// Monitors of a run: page, metrics, alerts, systemd. They share one watch, and an error in them never stops the run.
// Their interfaces: `monitors.ts`.
import { resolve } from 'node:path';
import { messageOf } from '../../../base/errors.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import type { AdapterLog } from '../../../bot/exchange/port.ts';
import type { Trading } from '../../../bot/run/core/trading.ts';
import { countsOf } from '../../../bot/run/state/history.ts';
import { identityOf, identityWords } from '../../monitoring/identity.ts';
import { hasServiceManager } from '../../monitoring/service-manager.ts';
import { type Monitor, RunWatch } from '../../monitoring/watch.ts';
import { alertMonitor, alertRules, alertSender } from '../notify/monitor.ts';
import { openRunMetrics } from './metrics.ts';
import type { Monitoring, MonitoringContext, OpenMonitor } from './monitors.ts';
import { openRunPage } from './page.ts';
import type { RunPlan } from './plan.ts';
import { openService } from './service.ts';

/** Rejects with a `UserError` if a monitor cannot be opened. */
export async function openMonitoring(plan: RunPlan, context: MonitoringContext): Promise<Monitoring> {
  const { host, clock, log, presenter, shared } = context;
  const open: OpenMonitor[] = [...(shared?.monitors ?? [])];
  const page = plan.page && (await openRunPage(plan, plan.page, context));
  if (page !== undefined) open.push(page);
  const metrics =
    plan.metrics === undefined
      ? undefined
      : await openRunMetrics(plan.metrics.port, { clock, onBug: (thrown) => log.warn(`the metrics failed: ${messageOf(thrown)}`) });
  if (metrics !== undefined) {
    open.push(metrics);
    presenter.served('metrics', metrics.url);
  }
  if (plan.notify.length > 0) open.push(openRunAlerts(plan, context, page?.url));
  if (hasServiceManager(host.env)) open.push(openService(host, context));
  let monitors: readonly Monitor[] | undefined;
  return {
    timed: metrics?.timed ?? shared?.timed,
    begin(trading, extras) {
      const watch = watchOf(plan, trading, context);
      presenter.follow?.(watch, extras);
      monitors = open.map((monitor) => monitor.begin(watch, extras));
      follow(trading, { watch, monitors, log: context.log });
    },
    close: async () => {
      await Promise.all((monitors ?? open).flatMap((monitor) => monitor.close?.() ?? []));
    },
  };
}

interface Following {
  readonly watch: RunWatch;
  readonly monitors: readonly Monitor[];
  readonly log: AdapterLog;
}

/** Passes the turns to the monitors. A monitor that throws has a bug: the error is logged, and the monitor gets no further turns. */
function follow(trading: Trading, { watch, monitors, log }: Following): void {
  const { run } = trading;
  const working = new Set(monitors);
  const dropIfItThrows = (monitor: Monitor, work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      working.delete(monitor);
      log.warn(`a monitor of the run failed and was removed: ${messageOf(thrown)}`);
    }
  };
  const add = (turn: Turn): void => {
    watch.add(turn);
    for (const monitor of working) dropIfItThrows(monitor, () => monitor.add(turn));
  };
  const subscription = run.turns.subscribe((turn) => {
    try {
      add(turn);
    } catch (thrown) {
      subscription.unsubscribe();
      log.warn(`the watch of the run failed: ${messageOf(thrown)}`);
    }
  });
  void run.done.then((ending) => {
    for (const monitor of working) dropIfItThrows(monitor, () => monitor.ended?.({ ending, summary: trading.summary() }));
  });
}

function watchOf(plan: RunPlan, trading: Trading, { clock, state }: MonitoringContext): RunWatch {
  const { facts, params, config, live, venue } = plan;
  const { run, strategy, exchange, seed } = facts;
  const { world } = trading.run;
  const markets = [...world.markets.values()];
  const { limits } = config;
  return new RunWatch({
    run,
    strategy,
    exchange,
    seed,
    live,
    quality: trading.now().quality,
    identity: identityOf(venue.facts(), { state: resolve(facts.state), isReal: live }),
    startedAt: clock.now(),
    markets,
    params,
    limits,
    counts: countsOf(state.earlier),
    totals: world.accounting.totals,
    orders: world.orders(),
  });
}

/** Returns the alerts of `run --notify`. `page`: the address of the run's page; undefined without one. */
function openRunAlerts(
  { notify: targets, config: { notify } }: RunPlan,
  { clock, log, state }: MonitoringContext,
  page: string | undefined,
): OpenMonitor {
  return {
    begin(watch) {
      const about = () => ({ identity: watch.identity && identityWords(watch.identity), page });
      const sender = alertSender(watch.facts.run, notify, { clock, log, targets, about });
      return alertMonitor(watch, {
        rules: alertRules(notify),
        clock,
        raise: (alert) => sender.send(alert),
        killSwitch: () => state.killSwitch?.get() ?? { mode: 'active' },
        close: () => sender.close(),
      });
    },
  };
}
