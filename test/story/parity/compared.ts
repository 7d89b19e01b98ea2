// `bot parity` on a run on virtual time, and the test that a backtest on its recording repeats it.
import { beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../../../src/program/program.ts';
import type { ParitySummary } from '../../../src/research/parity/summary.ts';
import { type VirtualRun, virtualRun } from '../../replay/virtual-run.ts';
import { FakeHost } from '../../unit/cli/fake-host.ts';
import { stateDirectoryOf } from './recorded-run.ts';

export async function runCommand(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const host = new FakeHost();
  const code = await runProgram(args, host);
  return { code, out: host.stdout.text, err: host.stderr.text };
}

export async function compared(directory: string, ...more: readonly string[]): Promise<ParitySummary> {
  const { code, out, err } = await runCommand('parity', directory, '--json', ...more);
  expect(code).toBe(0);
  expect(err).toMatch(more.length === 0 ? /^$/ : /changed since the run/);
  return JSON.parse(out) as ParitySummary;
}

export function testEqualBacktest(strategy: string): void {
  describe(strategy, () => {
    let run: VirtualRun;
    beforeAll(async () => {
      run = await virtualRun({ strategy, seed: 'parity', seconds: 150 });
    });

    test('has a backtest with the same orders, fills and money as the run', async () => {
      const summary = await compared(stateDirectoryOf(run.recording));
      const { fills, orders, pnl, volume, fees, agreement, reasons, causes } = summary;
      expect(fills.run).toBeGreaterThan(2);
      expect(fills).toMatchObject({ backtest: fills.run, both: fills.run, onlyRun: 0, onlyBacktest: 0 });
      expect(orders).toEqual({ both: run.summary.orders.placed, onlyRun: 0, onlyBacktest: 0 });
      expect([agreement, reasons]).toEqual([1, []]);
      expect([pnl.run, volume.run, fees.run]).toEqual([run.summary.pnl, run.summary.volume, run.summary.fees]);
      expect([pnl.backtest, volume.backtest, fees.backtest]).toEqual([pnl.run, volume.run, fees.run]);
      expect(causes.every(({ amount }) => amount === '0.00')).toBe(true);
    });
  });
}
