// An exchange whose code is a file outside the program: a run trades on it, `doctor` checks it, `kill` cancels its orders after
// the run was killed, with and without its facts, and the next process of the run continues.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { rngFrom } from '../../src/base/rng.ts';
import { PATIENCE_MS } from '../patience.ts';
import { keyOf, ThirdExchange } from '../third-venue/exchange.ts';
import { serveThird } from '../third-venue/server.ts';
import { type Child, type Printed, startChild } from './children.ts';

const MAIN = 'src/program/main.ts';
const VENUE = 'test/third-venue/adapter/venue.ts';
const ACCOUNT = 'bot';
const PARAMS = { market: 'BTC-PERP', spacingBps: 1, levels: 3, notional: 500, maxPositionNotional: 8_000 };
const SETS = Object.entries(PARAMS).flatMap(([name, value]) => ['--set', `params.${name}=${value}`]);
const children: Child[] = [];

function start(...args: readonly string[]): Child {
  const child = startChild(args, MAIN);
  children.push(child);
  return child;
}

/** Starts a command that prints no JSON. */
const bot = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, ['--import', './src/base/load-typescript.mjs', MAIN, ...args]);

/** Settles when several orders rest; then hardly any is in flight. */
const quotes = (child: Child, count: number): Promise<Printed | undefined> => {
  const open = new Set<unknown>();
  return child.line((line) => {
    if (line.kind === 'order' && line['status'] === 'open') open.add(line['clientOrderId']);
    return open.size >= count;
  });
};

async function ended(child: Child): Promise<{ code: number | null; child: Child }> {
  return { code: await child.ended, child };
}

async function served(onTestFinished: (end: () => Promise<void>) => void) {
  const exchange = new ThirdExchange({ clock: systemClock, rng: rngFrom('process') });
  exchange.open(ACCOUNT, 10_000);
  const server = await serveThird(exchange);
  const folder = mkdtempSync(join(tmpdir(), 'third-'));
  onTestFinished(async () => {
    for (const child of children) await child.signal('SIGKILL');
    exchange.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { exchange, url: server.url, folder };
}

test('a run trades, is checked, is killed, and continues', { timeout: 2 * PATIENCE_MS }, async ({ onTestFinished }) => {
  const { exchange, url, folder } = await served(onTestFinished);
  const [state, key] = [join(folder, 'state'), join(folder, 'third.key')];
  writeFileSync(key, `${ACCOUNT} ${keyOf(ACCOUNT).secret}\n`, { mode: 0o600 });
  const resting = (): number => exchange.account(ACCOUNT).orders.length;
  const trade = (): Child =>
    start('grid', '--exchange', VENUE, '--url', url, '--key', key, '--live', '--state', state, '--json', '--no-watchdog', ...SETS);

  const first = trade();
  expect(await quotes(first, 2 * PARAMS.levels), first.stderrText()).toBeDefined();
  await first.signal('SIGKILL');
  expect(resting()).toBeGreaterThan(0);
  expect(JSON.parse(readFileSync(join(state, 'facts.json'), 'utf8'))).toMatchObject({
    run: 'grid-third',
    exchange: {
      kind: 'third',
      url,
      key,
      module: { file: resolve(VENUE), version: '1.0.0', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
  });

  const { code, child: doctor } = await ended(start('doctor', '--state', state, '--json'));
  expect(code, JSON.stringify(doctor.lines)).toBe(1); // orders rest, and no watchdog runs
  expect(doctor.lines.filter(({ verdict }) => verdict === 'fail')).toMatchObject([{ check: 'watchdog' }]);
  expect(doctor.lines).toContainEqual({ kind: 'check', check: 'key', verdict: 'ok', says: `${key} is private` });
  expect(doctor.lines).toContainEqual(expect.objectContaining({ check: 'module', verdict: 'ok' }));
  expect(doctor.lines).toContainEqual(expect.objectContaining({ check: 'exchange', verdict: 'ok' }));
  expect(doctor.lines).toContainEqual(expect.objectContaining({ check: 'account', says: expect.stringContaining('account-of-bot') }));

  const killed = await ended(start('kill', '--state', state, '--json'));
  expect(killed.code, killed.child.stderrText()).toBe(0);
  expect(killed.child.lines.at(-1)).toMatchObject({ kind: 'killed', run: 'grid-third', empty: true, resting: 0, doubts: [] });
  expect(resting()).toBe(0);

  await bot('resume', '--state', state, '--yes', 'grid-third');
  const second = trade();
  expect(await quotes(second, 2), second.stderrText()).toBeDefined();
  await second.signal('SIGKILL');
  rmSync(join(state, 'facts.json'));
  const bereft = await ended(start('kill', '--state', state, '--exchange', VENUE, '--url', url, '--key', key, '--json'));
  expect(bereft.code, bereft.child.stderrText()).toBe(0);
  expect(bereft.child.lines.at(-1)).toMatchObject({
    empty: true,
    doubts: ['facts.json is missing'],
  });
  expect(resting()).toBe(0);
  const ids = exchange.placed.map(({ clientId }) => clientId);
  expect(new Set(ids).size, 'each order arrived once').toBe(ids.length);
});

test('a paper run needs no key and places nothing at the exchange, and its tape gives the same run', {
  timeout: 3 * PATIENCE_MS,
}, async ({ onTestFinished }) => {
  const { exchange, url, folder } = await served(onTestFinished);
  const state = join(folder, 'paper');
  const paper = start('grid', '--exchange', VENUE, '--url', url, '--paper', '--state', state, '--seed', 'a', '--json', ...SETS);
  expect(await paper.printed('fill'), paper.stderrText()).toBeDefined();
  await paper.signal('SIGINT');
  expect(await paper.ended, paper.stderrText()).toBe(0);
  const summary = paper.lines.at(-1);
  expect(summary).toMatchObject({ kind: 'summary', exchange: 'third', paper: true, orders: { openAtExit: 0, unknown: 0 } });
  expect(exchange.placed).toEqual([]);
  const played = ['--strategy', 'grid', '--tape', join(state, 'market.tape'), '--latency', 'recorded', '--seed', 'a', '--json', ...SETS];
  const { code, child: backtest } = await ended(start('backtest', ...played, '--report', join(folder, 'report.html')));
  expect(code, backtest.stderrText()).toBe(0);
  expect(backtest.lines.at(-1)).toMatchObject({ fingerprint: summary?.['fingerprint'], fills: summary?.['fills'], pnl: summary?.['pnl'] });
});
