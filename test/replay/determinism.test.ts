// Determinism: the same seed gives the same turns to the byte, live on virtual time and replayed from the recording.
import { beforeAll, describe, expect, test } from 'vitest';
import { rngFrom } from '../../src/base/rng.ts';
import { Market } from '../../src/bot/domain/market.ts';
import { rulesFrom } from '../../src/bot/risk/rules.ts';
import { readHeader } from '../../src/bot/run/state/turn-recording.ts';
import { deciderOf } from '../../src/bot/strategy/decide.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { resolveParams } from '../../src/bot/strategy/params.ts';
import { replay } from './replayed.ts';
import { type VirtualRun, virtualRun } from './virtual-run.ts';

const SECONDS = 60;

describe.each(['grid', 'lean-maker', 'twap'])('%s on the embedded exchange', (strategy) => {
  let first: VirtualRun;
  beforeAll(async () => {
    first = await virtualRun({ strategy, seed: 'one', seconds: SECONDS });
  });

  test('trades and leaves no orders', () => {
    expect(first.ending).toEqual({ kind: 'settled' });
    expect(first.summary.orders).toMatchObject({ unknown: 0, openAtExit: 0 });
    expect(first.summary.orders.placed).toBeGreaterThan(0);
    expect(first.summary.fills).toBeGreaterThan(0);
  });

  test('has the same fingerprint for the same seed and another one for another seed', async () => {
    const again = await virtualRun({ strategy, seed: 'one', seconds: SECONDS });
    const other = await virtualRun({ strategy, seed: 'two', seconds: SECONDS });
    expect(again.summary).toEqual(first.summary);
    expect(again.recording).toEqual(first.recording);
    expect(other.summary.fingerprint).not.toBe(first.summary.fingerprint);
  });

  test('has the same turns, byte for byte, in a replay of its recording', async () => {
    const [head = '', ...turns] = first.recording;
    const header = readHeader(head);
    const loaded = (await loadStrategy(header.strategy)).strategy;
    const markets = header.markets.map((spec) => new Market(spec));
    const params = resolveParams(loaded, header.params as Record<string, unknown>, () => undefined);
    const decide = deciderOf(loaded, params, { rng: rngFrom(header.seed).fork('strategy'), markets });
    const rules = rulesFrom(header.limits as Record<string, unknown>);
    expect([...replay(turns, { header, decide, rules })]).toEqual(turns);
  });

  test('has a position equal to the sum of its fills', () => {
    const market = 'BTCUSDC';
    let lots = 0;
    for (const line of first.lines) if (line.kind === 'fill') lots += (line.side === 'bid' ? 1 : -1) * Math.round(Number(line.size) * 1e4);
    expect(lots).toBe(Math.round(Number(first.summary.positions[market] ?? 0) * 1e4));
  });
});
