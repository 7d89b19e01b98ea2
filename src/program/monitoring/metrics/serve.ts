// Serves the metrics of a run on loopback: `/metrics` for Prometheus, `/healthz` for supervisors.
import type { Clock, Millis } from '../../../base/clock.ts';
import { type Served, serve } from '../../../base/server/http.ts';
import { jsonReply } from '../../../base/server/reply.ts';
import { route, routerOf } from '../../../base/server/routing.ts';
import type { Handler } from '../../../base/transport/transport.ts';
import type { RunWatch } from '../watch.ts';
import type { Metrics } from './metrics.ts';

/** A run has a turn at least once a second; without one for this long it counts as hanging. */
const SILENCE: Millis = 10_000;

export interface ServeMetricsOptions {
  readonly port: number;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  /** The runs that trade now. */
  readonly watches: () => readonly RunWatch[];
  readonly onBug: (thrown: unknown) => void;
}

/** Rejects with a UserError if the port cannot be used. */
export const serveMetrics = ({ port, onBug, ...options }: ServeMetricsOptions): Promise<Served> =>
  serve(metricsApi(options), { port, host: '127.0.0.1', onBug });

export function metricsApi({ metrics, clock, watches }: Omit<ServeMetricsOptions, 'port' | 'onBug'>): Handler {
  return routerOf([
    route({
      method: 'GET',
      path: '/metrics',
      answer: () => ({
        ...jsonReply({}),
        later: metrics.text().then((text) => ({ status: 200, contentType: metrics.contentType, body: new TextEncoder().encode(text) })),
      }),
    }),
    route({ method: 'GET', path: '/healthz', answer: () => healthReply(clock.now(), watches()) }),
  ]);
}

/** Replies 503 if a run has had no turn for ten seconds, else 200, also before any run trades. The body describes the run with the oldest last turn. */
function healthReply(now: Millis, watches: readonly RunWatch[]) {
  const watch = watches.toSorted((a, b) => a.at - b.at)[0];
  if (watch === undefined) return jsonReply({ status: 'starting' });
  const silentMs = now - watch.at;
  const status = silentMs > SILENCE ? 'hangs' : 'alive';
  return jsonReply({ status, mode: watch.mode, turns: watch.turns, silentMs }, status === 'alive' ? 200 : 503);
}
