// Several tapes of candles together: two resolutions of one market, with decisions on the longer and fills on the shorter one, and several markets.
import { describe, expect, test } from 'vitest';
import { defineStrategy, type Params, type Strategy } from '../../../src/bot/strategy/contract.ts';
import { DEFAULT_CANDLES } from '../../../src/embedded/exchange/recorded/candle-path.ts';
import { codeOf, KIND_BITS, ROW, type RowKind } from '../../../src/embedded/rows/rows.ts';
import type { Tape } from '../../../src/embedded/tape/reader.ts';
import { type BacktestOptions, type BacktestResult, backtest } from '../../../src/research/backtest/backtest.ts';
import type { CandleFigures } from '../../../src/research/report/figures/candle-figures.ts';
import { ReportCollector } from '../../../src/research/report/figures/report-collector.ts';
import { candleTape } from '../../../src/research/testing/check/tapes/candle-tapes.ts';
import { MemoryRows } from '../../../src/research/testing/memory-tape.ts';
import { DEFAULTS } from '../../replay/virtual-run.ts';
import { BTC, ETH } from '../../unit/world-builder.ts';
import { ASSUMPTIONS, DEPOSIT } from './played.ts';

const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;
const defaults = { market: 'BTCUSDC' };

/** Returns candles of an hour from those of five minutes, with another volume. */
async function hourly(tape: Tape): Promise<Tape> {
  const rows = new MemoryRows();
  let [count, time, open, high, low] = [0, 0, 0, 0, 0];
  const add = (kind: RowKind, price: number, size = 0): void => rows.add({ time, lag: 0, code: codeOf(kind), price, size });
  for await (const { codes, times, prices, count: length } of tape.blocks())
    for (let at = 0; at < length; at++) {
      const [kind, price] = [codes[at]! & KIND_BITS, prices[at]!];
      if (kind === ROW.open && count % 12 === 0) [time, open, high, low] = [times[at]!, price, price, price];
      [high, low] = [Math.max(high, price), Math.min(low, price)];
      if (kind !== ROW.close || ++count % 12 > 0) continue;
      add('open', open, HOUR);
      add('high', high);
      add('low', low);
      add('close', price, 777);
    }
  return rows.tape({ ...tape.header, pollMs: HOUR })!;
}

interface Call {
  readonly now: number;
  readonly volume: number | undefined;
}

/** A strategy that bids below the close of the last hour, takes its profit at once and stops. */
const diver = (calls: Call[], every?: '1h'): Strategy<Params> =>
  defineStrategy({
    name: 'diver',
    defaults,
    ...(every && { every }),
    create: () => (view) => {
      const { candles, quote, bracket } = view.market(defaults.market);
      const last = candles('1h').at(-1);
      calls.push({ now: view.now, volume: last?.volume });
      if (last === undefined) return [];
      return [quote({ bids: [{ price: last.close * 0.997, size: 0.01 }], asks: [] }), bracket({ stopLossBps: 40, takeProfitBps: 40 })];
    },
  });

/** A strategy that buys below the close of the last hour in every second hour and exits by a near stop or take profit. */
const bracketed: Strategy<Params> = defineStrategy({
  name: 'bracketed',
  defaults,
  create: () => (view) => {
    const { candles, quote, bracket, position } = view.market(defaults.market);
    const last = candles('1h').at(-1);
    if (last === undefined) return [];
    const bids = position > 0 || Math.floor(view.now / HOUR) % 2 === 0 ? [] : [{ price: last.close * 0.9995, size: 0.01 }];
    return [quote({ bids, asks: [] }), bracket({ stopLossBps: 20, takeProfitBps: 20 })];
  },
});

const play = (strategy: Strategy<Params>, tapes: readonly Tape[], watch?: BacktestOptions['watch']): Promise<BacktestResult> =>
  backtest({
    strategy,
    params: defaults,
    limits: { ...DEFAULTS.limits },
    polling: DEFAULTS.polling,
    seed: 'detail',
    tapes,
    assumptions: { ...ASSUMPTIONS, candles: DEFAULT_CANDLES },
    deposit: DEPOSIT,
    watch,
  });

/** Returns the fills for which the order of stop and take profit is a guess. */
async function guessedOn(tapes: readonly Tape[]): Promise<CandleFigures['exits']> {
  let collector: ReportCollector | undefined;
  await play(bracketed, tapes, ({ run }) => {
    const watching = new ReportCollector({ markets: [...run.world.markets.values()] });
    collector = watching;
    run.turns.subscribe((turn) => watching.see(turn, run.world));
  });
  return collector!.collected().candles[0]!.exits;
}

const short = candleTape({ market: BTC.spec, basePrice: 60_000 }, { length: FIVE_MINUTES, count: 12 * 60 }, { seed: 'detail' });

describe('two tapes of candles of one market', () => {
  test('show whether a stop or a take profit came first, which one tape cannot', async () => {
    const long = candleTape({ market: BTC.spec, basePrice: 60_000 }, { length: FIVE_MINUTES, count: 12 * 240 }, { seed: 'guess' });
    const alone = await guessedOn([await hourly(long)]);
    expect(alone.guessed).toBeGreaterThan(0);
    expect(alone.otherwise).toBeGreaterThan(0);
    expect((await guessedOn([await hourly(long), long])).guessed).toBeLessThan(alone.guessed);
  });

  test('give decisions on the longer candles and fills on the shorter ones', async () => {
    const long = await hourly(short);
    const [together, alone]: [Call[], Call[]] = [[], []];
    const both = await play(diver(together), [long, short]);
    const one = await play(diver(alone, '1h'), [short]);
    expect(both.summary.fills).toBeGreaterThan(2);
    expect(both.summary.fingerprint).toBe(one.summary.fingerprint);
    expect(together.map(({ now }) => now)).toEqual(alone.map(({ now }) => now));
    expect(new Set(together.flatMap(({ volume }) => volume ?? []))).toEqual(new Set([BTC.size(777 as never)]));
    expect((await play(diver([]), [short, long])).summary.fingerprint).toBe(both.summary.fingerprint);
    expect((await play(diver([]), [long])).summary.fingerprint).not.toBe(both.summary.fingerprint);
  });

  test('of equal resolution are refused', async () => {
    await expect(play(diver([]), [short, short])).rejects.toMatchObject({
      code: 'tape',
      message: 'the tapes of BTCUSDC are candles of 5m, and candles of 5m',
    });
  });
});

describe('candles of two markets', () => {
  const ether = candleTape({ market: ETH.spec, basePrice: 3_000 }, { length: HOUR, count: 60 }, { seed: 'detail' });

  test('of different resolutions are read at the end of each; the longer one is closed within its candle', async () => {
    const shown = { BTCUSDC: new Set<number>(), ETHUSDC: new Set<number>() };
    const strategy: Strategy<Params> = defineStrategy({
      name: 'both',
      defaults,
      create: () => (view) => {
        for (const [symbol, times] of Object.entries(shown))
          if (view.market(symbol).mid !== undefined) times.add(Math.floor((view.now % HOUR) / FIVE_MINUTES));
        return [];
      },
    });
    await play(strategy, [short, ether]);
    expect(shown.BTCUSDC.size).toBe(12);
    expect([...shown.ETHUSDC]).toEqual([0]);
  });
});
