// Tests that a backtest on the tape of a paper run repeats the run.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { micros } from '../../../src/bot/domain/numbers.ts';
import { loadStrategy } from '../../../src/bot/strategy/loading/loader.ts';
import type { PaperAssumptions } from '../../../src/embedded/paper/options.ts';
import { parityOf } from '../../../src/research/parity/parity.ts';
import { openRecordedRun } from '../../../src/research/parity/recorded-run.ts';
import { embeddedOn, ONE_MARKET, START } from '../../replay/virtual-run.ts';
import { fineGrid } from '../backtest/played.ts';
import { type PaperApi, PaperStage } from './paper-stage.ts';
import { replayed } from './replayed.ts';

export async function staged(api: PaperApi = 'hosted'): Promise<PaperStage> {
  const stage = new PaperStage(mkdtempSync(join(tmpdir(), 'paper-')), api);
  const own = { seed: 'paper', start: START, markets: ONE_MARKET };
  const exchange = await embeddedOn(stage.machine, api === 'local' ? { ...own, localPort: 0 } : own);
  onTestFinished(exchange.close);
  const handler = exchange[api === 'ccxt' ? 'hyperliquid' : api];
  if (handler !== undefined) stage.serve(handler);
  await stage.pass(0.012_3); // the run does not start at a whole millisecond
  return stage;
}

export const DRAWN: PaperAssumptions = {
  latency: { kind: 'lognormal', median: 20, p99: 200 },
  queue: { kind: 'probabilistic', power: 2 },
  deposit: micros(50_000e6),
  fees: { makerPpm: -50, takerPpm: 400 },
};

export function testRepeated(cases: readonly (readonly [string, 'hosted' | 'local', PaperAssumptions])[]): void {
  test.each(cases)('gives the same actions and fingerprint, %s', async (_, api, assumptions) => {
    const stage = await staged(api);
    const strategy = await fineGrid();
    const { trading, turns } = await stage.start(strategy, { assumptions });
    await stage.pass(30);
    await stage.stop();
    const again = await replayed(stage, strategy, assumptions);
    const summary = trading.summary();
    expect(summary.fills).toBeGreaterThan(0);
    expect(summary.orders.openAtExit).toBe(0);
    expect(again.turns.map((turn) => turn.actions)).toEqual(turns.map((turn) => turn.actions));
    expect(again.summary.fingerprint).toBe(summary.fingerprint);
    expect([...stage.methods.keys()]).toEqual(['GET']);
  });
}

export function testParity(cases: readonly [string, PaperAssumptions, PaperApi?][]): void {
  test.each<[string, PaperAssumptions, PaperApi?]>(cases)('agrees with it fill by fill in bot parity, %s', async (_, assumptions, api) => {
    const stage = await staged(api);
    const { strategy } = await loadStrategy('grid');
    const { trading } = await stage.start(strategy, {
      assumptions,
      params: { market: stage.market, spacingBps: 0.5, levels: 8, maxPositionNotional: 90_000 },
    });
    await stage.pass(60);
    await stage.stop();
    const recorded = await openRecordedRun(stage.directory);
    const { processes, agreement, reasons } = await parityOf(recorded, { embedded: false, paper: stage.directory, queues: [] });
    const { fills, fingerprint } = trading.summary();
    expect(fills).toBeGreaterThan(5);
    expect(processes[0]?.match.fills.both).toHaveLength(fills);
    expect([agreement, reasons, processes[0]?.fingerprint]).toEqual([1, [], fingerprint]);
  });
}
