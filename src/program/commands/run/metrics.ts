// `run --metrics`: serves the metrics of the run on loopback, from before it connects to its end.
import type { Clock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import type { Metrics } from '../../monitoring/metrics/metrics.ts';
import type { RunWatch } from '../../monitoring/watch.ts';
import type { OpenMonitor } from './monitors.ts';

/** Rejects with a `UserError` if the port cannot be used, or if the optional package is not installed. */
export async function openRunMetrics(
  port: number,
  { clock, onBug }: { readonly clock: Clock; readonly onBug: (thrown: unknown) => void },
): Promise<OpenMonitor & Pick<Metrics, 'timed'> & { readonly url: string }> {
  const { metricsOf, serveMetrics } = await needPromClient(async () => ({
    ...(await import('../../monitoring/metrics/metrics.ts')),
    ...(await import('../../monitoring/metrics/serve.ts')),
  }));
  let following: RunWatch | undefined;
  const watch = (): RunWatch | undefined => following;
  const metrics = metricsOf({ clock, watch });
  const watches = (): readonly RunWatch[] => (following === undefined ? [] : [following]);
  const served = await serveMetrics({ port, clock, metrics, watches, onBug });
  const close = (): Promise<void> => served.close();
  return {
    url: `${served.url}/metrics`,
    timed: (what, work) => metrics.timed(what, work),
    begin(begun) {
      following = begun;
      return { add: (turn) => metrics.add(turn), close };
    },
    close,
  };
}

/** Rejects with a `UserError` if the optional package that these modules import is not installed. */
export async function needPromClient<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new UserError({ code: 'use', message: '--metrics needs the package prom-client', hint: 'install it: npm install prom-client' });
  }
}
