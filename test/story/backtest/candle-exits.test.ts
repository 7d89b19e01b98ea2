// Stops and take profits on candles: judged against the whole range of a candle, at their own prices, the worse first.
import { describe, expect, test } from 'vitest';
import type { Exit } from '../../../src/bot/domain/intent.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import type { Run } from '../../../src/bot/run/core/run.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import type { MarketView } from '../../../src/bot/strategy/view/market-view.ts';
import { DEFAULT_CANDLES } from '../../../src/embedded/exchange/recorded/candle-path.ts';
import { codeOf, type RowKind } from '../../../src/embedded/rows/rows.ts';
import { backtest } from '../../../src/research/backtest/backtest.ts';
import { ReportCollector } from '../../../src/research/report/figures/report-collector.ts';
import { MemoryRows } from '../../../src/research/testing/memory-tape.ts';
import { DEFAULTS } from '../../replay/virtual-run.ts';
import { BTC } from '../../unit/world-builder.ts';
import { START } from './memory-tape.ts';
import { ASSUMPTIONS, DEPOSIT } from './played.ts';

const MINUTE = 60_000;
type Ohlc = readonly [open: number, high: number, low: number, close: number];
const CALM: Ohlc = [60_000, 60_000, 60_000, 60_000];

function tapeOf(candles: readonly Ohlc[]) {
  const rows = new MemoryRows();
  for (const [index, [open, high, low, close]] of candles.entries()) {
    const add = (kind: RowKind, price: number, size: number): void =>
      rows.add({ time: (START + index * MINUTE) * 1_000, lag: 0, code: codeOf(kind), price, size });
    add('open', open * 10, MINUTE);
    add('high', high * 10, 0);
    add('low', low * 10, 0);
    add('close', close * 10, BTC.lots(1_000));
  }
  return rows.tape({ market: BTC.spec, basePrice: 60_000, source: 'candles', books: 'candles', pollMs: MINUTE })!;
}

/** Opens a position after the first candle, once, with exits. */
const opener = (position: number, exitsOf: (view: MarketView) => readonly Exit[]): Strategy<Params> => ({
  name: 'opener',
  defaults: { market: BTC.symbol },
  create() {
    let opened = false;
    return (view) => {
      const market = view.market(BTC.symbol);
      const { target, mid, position: held } = market;
      if (mid === undefined) return [];
      if (held !== 0) opened = true;
      return [...(opened ? [] : [target({ position })]), ...exitsOf(market)];
    };
  },
});

async function fillsOf(
  candles: readonly Ohlc[],
  strategy: Strategy<Params>,
  path: 'pessimistic' | 'nearest' = 'pessimistic',
  watch?: (run: Run) => void,
) {
  const turns: Turn[] = [];
  const { ending } = await backtest({
    strategy,
    params: strategy.defaults,
    limits: DEFAULTS.limits,
    polling: DEFAULTS.polling,
    seed: 'exits',
    tapes: [tapeOf(candles)],
    deposit: DEPOSIT,
    watch: ({ run }) => {
      watch?.(run);
      run.turns.subscribe((turn) => turns.push(turn));
    },
    assumptions: { ...ASSUMPTIONS, candles: { ...DEFAULT_CANDLES, path, halfSpreadBps: 0 } },
  });
  expect(ending).toEqual({ kind: 'settled' });
  return turns.flatMap(({ fills }) => fills).map(({ side, price, time }) => [side, BTC.price(price), Math.floor((time - START) / MINUTE)]);
}

const stopAt =
  (bps: number) =>
  ({ stopLoss }: MarketView) => [stopLoss({ bps })];
const bracketOf = ({ bracket }: MarketView) => [bracket({ stopLossBps: 50, takeProfitBps: 50 })];
const trail = ({ trailingStop }: MarketView) => [trailingStop({ bps: 50 })];
const BOTH: Ohlc = [60_000, 60_400, 59_600, 60_050];

describe('a stop', () => {
  test.each([
    ['long', 0.01, [60_000, 60_100, 59_500, 60_050], ['bid', 60_000.1, 0], ['ask', 59_699.9, 1]],
    ['short', -0.01, [60_000, 60_500, 59_900, 59_950], ['ask', 59_999.9, 0], ['bid', 60_300, 1]],
  ] as const)(
    'of a %s closes at its own price in the candle that reaches it, less the spread',
    async (_, position, candle, opened, closed) => {
      expect(await fillsOf([CALM, candle, CALM], opener(position, stopAt(50)))).toEqual([opened, closed]);
    },
  );

  test('that the price jumps over closes at the open', async () => {
    const fills = await fillsOf([CALM, CALM, [59_500, 59_500, 59_000, 59_000], [59_000, 59_000, 59_000, 59_000]], opener(0.01, stopAt(50)));
    expect(fills[1]).toEqual(['ask', 59_499.9, 2]);
  });

  test('comes before a take profit in the same candle, and the report says that it is assumed', async () => {
    const { fills, exits } = await exitsOf(BOTH, 'pessimistic');
    expect(fills[1]).toEqual(['ask', 59_699.9, 1]);
    expect(exits).toMatchObject({ guessed: 1, otherwise: expect.closeTo(6.002, 2) as number });
  });

  test('comes after the take profit if its end of the range is further from the open, in the optimistic run', async () => {
    const near: Ohlc = [60_000, 60_310, 59_600, 60_050];
    expect((await exitsOf(near, 'nearest')).fills[1]).toEqual(['ask', 60_300.2, 1]);
    expect((await exitsOf(near, 'pessimistic')).fills[1]).toEqual(['ask', 59_699.9, 1]);
  });

  test('is not asked of the strategy: it is not called inside the candle', async () => {
    const called: number[] = [];
    const strategy = opener(0.01, (view) => {
      called.push(view.mid ?? 0);
      return stopAt(50)(view);
    });
    await fillsOf([CALM, [60_000, 60_100, 59_500, 60_050], [60_050, 60_050, 60_050, 60_050]], strategy);
    expect(new Set(called)).toEqual(new Set([60_000, 60_050]));
  });
});

describe('a trailing stop', () => {
  test('is reached from its best price before the candle', async () => {
    const fills = await fillsOf([CALM, [60_000, 60_000, 60_000, 61_000], [61_000, 61_500, 60_600, 61_400], CALM], opener(0.01, trail));
    expect(fills[1]).toEqual(['ask', 60_694.9, 2]);
  });

  test('that was reached for certain after the high of a candle closes at its end', async () => {
    const fills = await fillsOf([CALM, [60_000, 61_000, 60_000, 60_600], [60_600, 60_600, 60_600, 60_600]], opener(0.01, trail));
    expect(fills[1]).toEqual(['ask', 60_599.9, 2]);
  });

  test('that was reached only if the high came first is counted and stays', async () => {
    const { fills, exits } = await exitsOf([60_000, 61_000, 60_000, 60_900], 'pessimistic', trail);
    expect(fills).toHaveLength(1);
    expect(exits.trails).toBe(1);
  });
});

async function exitsOf(candle: Ohlc, path: 'pessimistic' | 'nearest', exits = bracketOf as (view: MarketView) => readonly Exit[]) {
  const last = candle[3];
  const candles: readonly Ohlc[] = [CALM, candle, [last, last, last, last], [last, last, last, last]];
  let collector: ReportCollector | undefined;
  const fills = await fillsOf(candles, opener(0.01, exits), path, (run) => {
    const watching = new ReportCollector({ markets: [...run.world.markets.values()] });
    collector = watching;
    run.turns.subscribe((turn) => watching.see(turn, run.world));
  });
  return { fills, exits: collector!.collected().candles[0]!.exits };
}
