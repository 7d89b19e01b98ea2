// Measures the bot from outside: from the last byte of a book to the first byte of the action that follows it, with 250 ms of sleep between two books.
// The bot is a process of its own, and so is a plain client that answers each book with one order over fetch; a proxy before the exchange takes the time.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep, systemClock } from '../src/base/clock.ts';
import { openConnection } from './connection.ts';
import { type Bench, quantile, type Row, times } from './measure.ts';

/** Span of each measurement, without the start. */
const SPAN = 60_000;
const START = 10_000;
/** A later action follows from something else than the book. */
const LONGEST = 200;
const AIM = { p99: 3 };
const LOADER = ['--import', './src/base/load-typescript.mjs'];
/** `OUTSIDE_BOT` names the folder of another version to measure. */
const BOT = process.env['OUTSIDE_BOT'] ?? '.';

export const outside: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outside-'));
  const connection = await openConnection({ markets: 1 });
  const proxy = await proxyTo(connection.url);
  try {
    const key = join(folder, 'key.json');
    await once(child(['src/program/main.ts', 'keys', 'new', key]), 'exit');
    const ours = await measured(proxy, () => child(botArguments({ url: proxy.url, key, state: join(folder, 'state') }), BOT));
    const plain = await measured(proxy, () => child(['bench/outside-client.ts', proxy.url]));
    return [rowOf(ours, plain)];
  } finally {
    proxy.close();
    await connection.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

function botArguments({ url, key, state }: { readonly url: string; readonly key: string; readonly state: string }): readonly string[] {
  const where = ['--exchange', 'hosted', '--url', url, '--key', key, '--live', '--state', state, '--json'];
  const often = ['params.slackBps=0.001', 'limits.ramp.firstFraction=1', 'limits.ramp.secondFraction=1', 'limits.rate.maxPerMinute=100000'];
  return ['src/program/main.ts', 'run', '--strategy', 'lean-maker', ...where, '--set', ...often];
}

const child = (args: readonly string[], cwd = '.'): ChildProcess =>
  spawn(process.execPath, [...LOADER, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });

/** Milliseconds from books to actions, in ascending order, and how many actions opened a connection. */
interface Measured {
  readonly spans: readonly number[];
  readonly actions: number;
  readonly cold: number;
}

async function measured(proxy: Proxy, start: () => ChildProcess): Promise<Measured> {
  const process = start();
  try {
    await sleep(systemClock, START);
    proxy.take();
    await sleep(systemClock, SPAN);
    return proxy.take();
  } finally {
    process.kill('SIGINT');
    await Promise.race([once(process, 'exit'), sleep(systemClock, START)]);
    process.kill('SIGKILL');
  }
}

interface Proxy {
  readonly url: string;
  /** Returns what was measured since the last call. */
  take(): Measured;
  close(): void;
}

async function proxyTo(target: string): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  let bookAt: number | undefined;
  let [spans, actions, cold]: [number[], number, number] = [[], 0, 0];
  const used = new WeakSet<object>();
  const server = createServer((incoming, response) => {
    const now = performance.now();
    const { method = 'GET', url = '/', headers, socket } = incoming;
    if (method === 'POST') {
      actions += 1;
      if (!used.has(socket)) cold += 1;
      if (bookAt !== undefined && now - bookAt < LONGEST) spans.push(now - bookAt);
      bookAt = undefined;
    }
    used.add(socket);
    const forwarded = send(target + url, { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => void chunks.push(chunk));
      answer.on('end', () => {
        if (url.includes('/orderbook')) bookAt = performance.now();
        response.end(Buffer.concat(chunks));
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
      const taken = { spans: spans.toSorted((one, other) => one - other), actions, cold };
      [spans, actions, cold] = [[], 0, 0];
      return taken;
    },
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

function rowOf(ours: Measured, plain: Measured): Row {
  const [p50, p99] = [quantile(ours.spans, 0.5), quantile(ours.spans, 0.99)];
  return {
    name: 'outside: the last byte of a book to the first byte of the action, 250 ms between books',
    figure: `${textOf(ours)}, ${ours.cold} of ${ours.actions} actions on a new connection`,
    baseline: `plain client ${textOf(plain)}`,
    ratio: times(quantile(plain.spans, 0.5) / p50),
    aim: `p99 at most ${AIM.p99} times the median`,
    met: p99 <= AIM.p99 * p50,
  };
}

const textOf = ({ spans }: Measured): string => {
  const [p10, p50, p99] = [0.1, 0.5, 0.99].map((share) => quantile(spans, share).toFixed(1));
  return `${p50} ms (p10 ${p10}, p99 ${p99}, ${spans.length} books)`;
};
