// Tests of paper runs at the foreign exchange while it answers nonsense.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startForeignExchange } from '../../foreign/exchange.ts';
import type { BadData } from '../../foreign/faults.ts';
import { fineGrid } from '../backtest/played.ts';
import { PaperStage } from './paper-stage.ts';
import { fillsIn, replayed } from './replayed.ts';

const GONE = { status: 500, contentType: '', body: new Uint8Array() };

export function testBadData(kinds: readonly BadData[]): void {
  describe('a paper run at the foreign exchange', () => {
    test.each(kinds)('places and fills nothing during %s, and continues afterwards', async (bad) => {
      const stage = new PaperStage(mkdtempSync(join(tmpdir(), 'paper-')));
      const foreign = await startForeignExchange({ now: () => stage.machine.now() });
      onTestFinished(() => foreign.close());
      stage.serve((request) => foreign.handle(request) ?? GONE);
      const strategy = await fineGrid();
      const { trading, turns } = await stage.start(strategy);
      await stage.pass(15);
      const before = trading.summary();
      foreign.control.set({ badData: [bad] });
      await stage.pass(8); // an unchanged book is detected after a few seconds
      const from = turns.at(-1)?.at ?? 0;
      await stage.pass(6);
      const during = turns.filter(({ at }) => at > from + 1_000);
      foreign.control.set({ badData: [] });
      await stage.pass(20);
      expect(before.fills).toBeGreaterThan(0);
      expect(during.length).toBeGreaterThan(3);
      expect(during.flatMap(({ actions }) => actions.filter(({ kind }) => kind === 'place'))).toEqual([]);
      expect(during.flatMap(fillsIn)).toEqual([]);
      expect(turns.some(({ at, actions }) => at > from + 8_000 && actions.some(({ kind }) => kind === 'place'))).toBe(true);
      await stage.stop();
      expect([...foreign.state.requests.keys()].filter((request) => !request.startsWith('GET '))).toEqual([]);
      expect((await replayed(stage, strategy)).summary.fingerprint).toBe(trading.summary().fingerprint);
    });
  });
}
