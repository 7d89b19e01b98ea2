// A run that is killed under a supervisor such as systemd, which starts it again: the watchdog sends an alarm, and the next process trades.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, type TestContext, test } from 'vitest';
import { addressLine } from '../../src/program/monitoring/alerts/addresses.ts';
import type { Child, Printed } from './children.ts';
import { liveExchange } from './live-exchange.ts';
import { BUILT_MAIN } from './program.ts';

const exchange = liveExchange('supervised');
/** RestartSec of config/deploy/tickwright.service. */
const PAUSE_MS = 5_000;
/** The limit of 30 s, for a machine that is ten times slower. */
const LONGEST_MS = 300_000;

interface Alerted {
  readonly run: string;
  readonly severity: string;
  readonly alerts: readonly { readonly text: string }[];
}

interface Endpoint {
  readonly url: string;
  /** Settles with the first message that contains the text. */
  received(text: RegExp): Promise<Alerted>;
}

async function webhook({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<Endpoint> {
  const messages: Alerted[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      messages.push(JSON.parse(body) as Alerted);
      response.end();
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`,
    received: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = messages.find(({ alerts }) => alerts.some((alert) => text.test(alert.text)));
          if (found !== undefined) resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Starts a process again whenever one ends by a signal. `next` settles with the process after the one of that number. */
function supervise(start: () => Child): { readonly processes: readonly Child[]; readonly next: (after: number) => Promise<Child> } {
  const processes: Child[] = [];
  const waiting: (() => void)[] = [];
  const begin = async (): Promise<void> => {
    const child = start();
    processes.push(child);
    for (const look of waiting) look();
    if ((await child.ended) !== null) return;
    await wait(PAUSE_MS);
    await begin();
  };
  void begin();
  const next = (after: number): Promise<Child> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = processes[after + 1];
        if (found !== undefined) resolve(found);
      };
      waiting.push(look);
      look();
    });
  return { processes, next };
}

const isOpen = (line: Printed): boolean => line.kind === 'order' && line['status'] === 'open';

test('after kill -9 the run trades again, its watchdog has sent an alarm, and no order is left at the end', async (context) => {
  const endpoint = await webhook(context);
  const { start, resting } = exchange.place('supervised', context);
  const { processes, next } = supervise(() => start(['grid'], ['--notify', endpoint.url]));
  const [first] = processes;
  await first?.line(isOpen);
  const killedAt = performance.now();
  await first?.signal('SIGKILL');
  const alarm = await endpoint.received(/^watchdog: the run has died/);
  expect(alarm).toMatchObject({ run: 'grid-hosted', severity: 'alarm' });
  const second = await next(0);
  expect(await second.line(isOpen), second.stderrText()).toBeDefined();
  const seconds = (performance.now() - killedAt) / 1_000;
  console.info(`killed, started again after ${PAUSE_MS / 1_000} s, trading ${seconds.toFixed(1)} s after the kill`);
  expect(seconds).toBeLessThan(LONGEST_MS / 1_000);
  expect(await endpoint.received(/^watchdog: another process, or a person, takes care of its orders/)).toMatchObject({ severity: 'info' });
  expect(await second.signal('SIGINT'), second.stderrText()).toBe(0);
  expect(await resting()).toBe(0);
});

test('the orders of a run that is not started again are cancelled, and the messages report it', async (context) => {
  const endpoint = await webhook(context);
  const { start, resting, state } = exchange.place('alone', context);
  const child = start(['grid'], ['--no-watchdog']);
  await child.line(isOpen);
  const watchdog = spawn(process.execPath, [BUILT_MAIN, 'watchdog', '--state', state, '--silence', '2s'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  context.onTestFinished(() => void watchdog.kill('SIGKILL'));
  await child.signal('SIGKILL');
  watchdog.stdin.end(`${addressLine({ urls: [endpoint.url] })}b`);
  await endpoint.received(/^watchdog: the run has died .* its orders are cancelled in 2 s, unless it is started again$/);
  await endpoint.received(/^watchdog: .*proved: the account has no orders left/);
  expect(await resting()).toBe(0);
});
