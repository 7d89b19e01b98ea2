// Measures the bot from outside: from the last byte of a book to the first byte of the action that follows it, with 250 ms of sleep between two books.
// The bot is a process of its own, and so is a plain client that answers each book with one order over fetch; a proxy before the exchange takes the time.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINUTE, type Millis, SECOND, sleep, systemClock } from '../src/base/clock.ts';
import { lengthened, withoutBest } from './books.ts';
import { openConnection } from './connection.ts';
import { type Bench, quantile, type Row, times } from './measure.ts';

/** Time before the measurement: of ours a minute, after which no action should open a connection. */
const START = { ours: MINUTE, plain: 10 * SECOND };
/** A later action follows from something else than the book. */
const LONGEST = 50;
/** Bytes of every second pair of books. */
const LONG_BOOK = 20_000;
/** Levels that every second book lacks on each side, so that it moves the quotes. */
const MISSING = 5;
const AIM = { p50: 2, p99: 3 };
const LOADER = ['--import', './src/base/load-typescript.mjs'];
/** `OUTSIDE_BOT` names the folder of another version to measure. */
const BOT = process.env['OUTSIDE_BOT'] ?? '.';
/** Quotes at the best prices, so that each book moves them. */
const PARAMS = ['halfSpreadBps=0.001', 'leanBps=0.001', 'slackBps=0.001'].map((param) => `params.${param}`);
const LIMITS = ['ramp.firstFraction=1', 'ramp.secondFraction=1', 'rate.maxPerMinute=100000'].map((limit) => `limits.${limit}`);

export const outside: Bench = async ({ count: minutes = 1 }) => {
  const folder = mkdtempSync(join(tmpdir(), 'outside-'));
  const connection = await openConnection({ markets: 1 });
  const proxy = await proxyTo(connection.url);
  const measure = (start: Millis, run: () => ChildProcess): Promise<Measured> => measured(proxy, { start, span: minutes * MINUTE, run });
  try {
    const key = join(folder, 'key.json');
    await once(child(['src/program/main.ts', 'keys', 'new', key]), 'exit');
    const ours = await measure(START.ours, () => child(botArguments({ url: proxy.url, key, state: join(folder, 'state') }), BOT));
    const plain = await measure(START.plain, () => child(['bench/outside-client.ts', proxy.url]));
    return rowsOf(ours, plain);
  } finally {
    proxy.close();
    await connection.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

function botArguments({ url, key, state }: { readonly url: string; readonly key: string; readonly state: string }): readonly string[] {
  const where = ['--exchange', 'hosted', '--url', url, '--key', key, '--live', '--state', state, '--json'];
  return ['src/program/main.ts', 'run', '--strategy', 'lean-maker', ...where, '--set', ...PARAMS, ...LIMITS];
}

const child = (args: readonly string[], cwd = '.'): ChildProcess =>
  spawn(process.execPath, [...LOADER, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });

type Size = 'short' | 'long';

/** What the proxy saw. */
interface Seen {
  /** Milliseconds from books of each size to actions. */
  readonly spans: Readonly<Record<Size, number[]>>;
  actions: number;
  /** Number of actions that opened a connection. */
  cold: number;
}

const nothingSeen = (): Seen => ({ spans: { short: [], long: [] }, actions: 0, cold: 0 });

interface Measured extends Seen {
  /** Resident memory in MB when the measurement began and ended. */
  readonly memory: readonly [before: number, after: number];
}

interface MeasureOptions {
  readonly start: Millis;
  readonly span: Millis;
  readonly run: () => ChildProcess;
}

async function measured(proxy: Proxy, { start, span, run }: MeasureOptions): Promise<Measured> {
  const process = run();
  try {
    await sleep(systemClock, start);
    proxy.take();
    const before = memoryOf(process);
    await sleep(systemClock, span);
    return { ...proxy.take(), memory: [before, memoryOf(process)] };
  } finally {
    process.kill('SIGINT');
    await Promise.race([once(process, 'exit'), sleep(systemClock, START.plain)]);
    process.kill('SIGKILL');
  }
}

const memoryOf = ({ pid }: ChildProcess): number => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1_024;

interface Proxy {
  readonly url: string;
  /** Returns what was measured since the last call. */
  take(): Seen;
  close(): void;
}

async function proxyTo(target: string): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  let book: { readonly size: Size; readonly at: number } | undefined;
  let books = 0;
  let seen = nothingSeen();
  const used = new WeakSet<object>();
  const server = createServer((incoming, response) => {
    const now = performance.now();
    const { method = 'GET', url = '/', headers, socket } = incoming;
    if (method === 'POST') {
      seen.actions += 1;
      if (!used.has(socket)) seen.cold += 1;
      if (book !== undefined && now - book.at < LONGEST) seen.spans[book.size].push(now - book.at);
      book = undefined;
    }
    used.add(socket);
    const isBook = url.includes('/orderbook');
    const forwarded = send(target + url, { method, headers, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => void chunks.push(chunk));
      answer.on('end', () => {
        const size = books % 4 < 2 ? 'short' : 'long';
        const body = isBook ? bookFor(Buffer.concat(chunks), { size, isMissing: books++ % 2 === 1 }) : Buffer.concat(chunks);
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'content-length': body.length });
        if (isBook) book = { size, at: performance.now() };
        response.end(body);
      });
    });
    forwarded.on('error', () => response.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = seen;
      seen = nothingSeen();
      return taken;
    },
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

function bookFor(body: Uint8Array, { size, isMissing }: { readonly size: Size; readonly isMissing: boolean }): Uint8Array {
  const shown = isMissing ? withoutBest(body, MISSING) : body;
  return size === 'long' ? lengthened(shown, LONG_BOOK) : shown;
}

function rowsOf(ours: Measured, plain: Measured): readonly Row[] {
  const memory = ({ memory: [before, after] }: Measured): string => `${before.toFixed(0)} MB, at the end ${after.toFixed(0)} MB`;
  return [
    spanRow('1.5 KB', ours.spans.short, plain.spans.short),
    spanRow('20 KB', ours.spans.long, plain.spans.long),
    {
      name: 'outside: actions on a new connection after the first minute',
      figure: `${ours.cold} of ${ours.actions}`,
      baseline: `plain client ${plain.cold} of ${plain.actions}`,
      ratio: '',
      aim: 'none',
      met: ours.cold === 0,
    },
    { name: 'outside: memory', figure: memory(ours), baseline: `plain client ${memory(plain)}`, ratio: '', aim: '', met: undefined },
  ];
}

function spanRow(size: string, ours: readonly number[], plain: readonly number[]): Row {
  const [p50, p99] = [quantile(ours, 0.5), quantile(ours, 0.99)];
  return {
    name: `outside: the last byte of a book of ${size} to the first byte of the action, 250 ms between books`,
    figure: spanText(ours),
    baseline: `plain client ${spanText(plain)}`,
    ratio: times(quantile(plain, 0.5) / p50),
    aim: `at most ${AIM.p50} ms, p99 at most ${AIM.p99} times the median`,
    met: p50 <= AIM.p50 && p99 <= AIM.p99 * p50,
  };
}

const spanText = (spans: readonly number[]): string => {
  const [p50, p99, p999] = [0.5, 0.99, 0.999].map((share) => quantile(spans, share).toFixed(1));
  return `${p50} ms (p99 ${p99}, p99.9 ${p999}, ${spans.length} books)`;
};
