// `bot replay` and `bot parity` as processes, on a run that was a process in real time.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';
import { startChild } from './children.ts';

const state = join(mkdtempSync(join(tmpdir(), 'parity-')), 'state');

beforeAll(async () => {
  const run = startChild(['run', '--strategy', 'grid', '--for', '15s', '--seed', 'parity', '--state', state, '--json']);
  expect(await run.ended).toBe(0);
}, PATIENCE_MS);

test('replay decides a run again as it was', { timeout: PATIENCE_MS }, async () => {
  const child = startChild(['replay', state, '--json']);
  expect(await child.ended).toBe(0);
  const summary = await child.printed('summary');
  expect(summary).toMatchObject({ agreement: 1, changed: [], damage: [] });
  expect(summary?.['turns']).toBeGreaterThan(10);
});

test('parity compares a run with its backtest', { timeout: PATIENCE_MS }, async () => {
  const child = startChild(['parity', '--state', state, '--json', '--report', join(state, 'parity.html')]);
  expect(await child.ended).toBe(0);
  const summary = (await child.printed('summary')) ?? {};
  const { orders, reasons, fills, agreement } = summary as unknown as {
    readonly orders: Record<string, number>;
    readonly fills: Record<string, number>;
    readonly agreement: number;
    readonly reasons: readonly { readonly count: number; readonly orders: number }[];
  };
  expect(orders['both']).toBeGreaterThan(0);
  expect(agreement).toBeGreaterThanOrEqual(0);
  const explained = reasons.reduce((sum, one) => sum + one.count + one.orders, 0);
  const differing = [orders, fills].reduce((sum, counts) => sum + (counts['onlyRun'] ?? 0) + (counts['onlyBacktest'] ?? 0), 0);
  expect(explained).toBe(differing);
});

test.each(['replay', 'parity'])('%s of a missing run ends with 2', { timeout: PATIENCE_MS }, async (command) => {
  const child = startChild([command, '--state', join(state, 'nothing')]);
  expect(await child.ended).toBe(2);
  expect(child.stderrText()).toContain('there is no directory');
});
