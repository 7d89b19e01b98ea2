// The web page of a run whose turns the test adds, and a client that sends any header.
import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { UserError } from '../../../src/base/errors.ts';
import { RunCounts } from '../../../src/bot/accounting/run-counts.ts';
import { NO_TOTALS } from '../../../src/bot/domain/accounting/run-totals.ts';
import type { Market } from '../../../src/bot/domain/market.ts';
import type { PageSources } from '../../../src/program/monitoring/page/api.ts';
import type { StopMode } from '../../../src/program/monitoring/page/contract.ts';
import { type LiveSource, liveSource } from '../../../src/program/monitoring/page/live.ts';
import { openPage, type ServedPage } from '../../../src/program/monitoring/page/page.ts';
import { RunWatch, type WatchedRun } from '../../../src/program/monitoring/watch.ts';
import { rethrow, START } from '../../replay/virtual-run.ts';
import { BTC } from '../world-builder.ts';

export interface TestPage {
  readonly page: ServedPage;
  readonly source: LiveSource;
  readonly watch: RunWatch;
  /** The stops that the page requested. */
  readonly stops: readonly StopMode[];
  readonly port: number;
  /** The secret of the link. */
  readonly secret: string;
  close(): Promise<void>;
}

/** A watch of a run of the grid without turns. `facts` replace those of the run. */
export function watchOf(markets: readonly Market[] = [BTC], facts: Partial<WatchedRun> = {}): RunWatch {
  const defaults = {
    run: 'grid-test',
    strategy: 'grid',
    exchange: 'embedded',
    seed: 'one',
    live: false,
    startedAt: START,
    params: { levels: 5, spacingBps: 4, notional: 500 },
    limits: {},
    counts: new RunCounts(),
    totals: NO_TOTALS,
  };
  return new RunWatch({ ...defaults, ...facts, markets, orders: [] });
}

/** Explains order 7; any other is unknown. */
const why = async (order: string): Promise<unknown> => {
  if (order !== '7') throw new UserError({ code: 'order', message: `the run grid-test has no order "${order}"` });
  return { kind: 'why', clientOrderId: '7', steps: [{ at: '2026-01-05T12:00:00.000Z', step: 'wanted', text: 'a test wants it' }] };
};

interface PageOptions {
  readonly control?: boolean;
  readonly watch?: RunWatch;
  readonly clock?: Clock;
  /** Makes it a page of several runs. */
  readonly list?: PageSources['list'];
}

export async function openTestPage({ control = false, watch = watchOf(), clock = systemClock, list }: PageOptions = {}): Promise<TestPage> {
  const stops: StopMode[] = [];
  const stop = control ? (mode: StopMode): void => void stops.push(mode) : undefined;
  const source = liveSource({ watch, clock, why, stop });
  const listed = { folder: mkdtempSync(join(tmpdir(), 'pages-')), shows: 'grid', pid: process.pid };
  const page = await openPage({ clock, port: 0, sources: { open: async () => source, list }, listed, onBug: rethrow });
  const close = async (): Promise<void> => {
    source.stream.close();
    await page.close();
  };
  return { page, source, watch, stops, port: Number(new URL(page.url).port), secret: new URL(page.link).hash.slice(1), close };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends one request with exactly these headers. `Host` is as a browser sends it by default. */
export const sendRequest = (
  port: number,
  path: string,
  { method = 'GET', headers = {}, body = '' }: RequestOptions = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    // a kept connection may have been closed by the server while the process was busy
    const where = { host: '127.0.0.1', port, path, method, agent: false } as const;
    const sent = request({ ...where, headers: { host: `127.0.0.1:${port}`, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** The headers of a request by the page's own script. */
export const OWN = { 'x-tickwright': '1', 'content-type': 'application/json' } as const;

/** Opens the link, and returns the cookie as a browser sends it. */
export async function logIn({ port, secret }: Pick<TestPage, 'port' | 'secret'>): Promise<string> {
  const { headers } = await sendRequest(port, '/api/link', { method: 'POST', headers: OWN, body: JSON.stringify({ secret }) });
  return String(headers['set-cookie']).split(';')[0] ?? '';
}
