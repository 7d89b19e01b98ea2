// A paper run as a process, at an exchange that shares no code with it: it sends only GET requests, survives kill -9, and equals the backtest of its tape.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ForeignExchange, startForeignExchange } from '../foreign/exchange.ts';
import { type Child, type Printed, startChild } from './children.ts';

let exchange: ForeignExchange;
beforeAll(async () => {
  exchange = await startForeignExchange();
});
afterAll(async () => {
  const others = [...exchange.state.requests.keys()].filter((request) => !request.startsWith('GET '));
  await exchange.close();
  expect(others).toEqual([]);
});

/** Levels so close that it trades at once, and no position limit that makes it wait. */
const NEAR = ['params.spacingBps=0.4', 'params.levels=8', 'params.maxPositionNotional=90000'];
const FINE = ['--strategy', 'grid', '--set', ...NEAR, '--seed', 'paper', '--json'];

function started(state: string): Child {
  const bot = startChild([...FINE, '--exchange', 'hosted', '--url', exchange.url, '--paper', '--state', state]);
  onTestFinished(() => bot.signal('SIGKILL').then(() => undefined));
  return bot;
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'paper-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const summaryOf = ({ lines }: Child): Printed | undefined => lines.findLast(({ kind }) => kind === 'summary');

test('a backtest of its tape has the same fingerprint', async () => {
  const state = folder();
  const bot = started(state);
  expect(await bot.printed('fill'), bot.stderrText()).toBeDefined();
  expect(await bot.signal('SIGINT'), bot.stderrText()).toBe(0);
  const summary = summaryOf(bot);
  expect(summary).toMatchObject({ exchange: 'hosted', paper: true, orders: { openAtExit: 0, unknown: 0 } });

  const report = join(state, 'report.html');
  const again = startChild(['backtest', ...FINE, '--tape', join(state, 'market.tape'), '--latency', 'recorded', '--report', report]);
  expect(await again.ended, again.stderrText()).toBe(0);
  expect(summaryOf(again)?.['fingerprint']).toBe(summary?.['fingerprint']);
  expect(summaryOf(again)).toMatchObject({ fills: summary?.['fills'], pnl: summary?.['pnl'], positions: summary?.['positions'] });

  const beside = startChild(['parity', state, '--json']);
  expect(await beside.ended, beside.stderrText()).toBe(0);
  const nothing = { onlyRun: 0, onlyBacktest: 0 };
  const pnl = { run: summary?.['pnl'], backtest: summary?.['pnl'] };
  expect(summaryOf(beside)).toMatchObject({ agreement: 1, reasons: [], fills: nothing, orders: nothing, pnl });
});

test('killed at any moment, it continues with its account, and its figures agree', async () => {
  const state = folder();
  const fills: Printed[] = [];
  for (let kill = 0; kill < 2; kill++) {
    const bot = started(state);
    expect(await bot.printed('fill'), bot.stderrText()).toBeDefined();
    await bot.signal('SIGKILL');
    fills.push(...bot.lines.filter(({ kind }) => kind === 'fill'));
  }
  const last = started(state);
  expect(await last.printed('fill'), last.stderrText()).toBeDefined();
  expect(await last.signal('SIGINT'), last.stderrText()).toBe(0);
  fills.push(...last.lines.filter(({ kind }) => kind === 'fill'));
  const ids = fills.map((fill) => `${String(fill['tradeId'])} ${String(fill['role'])}`);
  expect(new Set(ids).size).toBe(ids.length);
  expect(last.lines.filter(({ kind }) => kind === 'alarm')).toEqual([]);
  const summary = summaryOf(last);
  expect(summary).toMatchObject({ orders: { openAtExit: 0, unknown: 0 } });
  expect(summary?.['fills']).toBeGreaterThanOrEqual(ids.length); // the last lines of a killed process may not have been read
});
