// The data that the report collector keeps of a run's turns.
import { describe, expect, test } from 'vitest';
import { ticks } from '../../../src/bot/domain/numbers.ts';
import { ReportCollector, type ReportSeries } from '../../../src/research/report/figures/report-collector.ts';
import { BTC, ETH } from '../world-builder.ts';
import {
  accountTurn,
  bookTurn,
  changeTurn,
  fillAt,
  fillsTurn,
  findingTurn,
  money,
  NO_ORDERS,
  orderOf,
  seriesOf,
  T0,
  timerTurn,
  turn,
} from './turns.ts';

test('a run lasts from its first event to its last', () => {
  expect(seriesOf([timerTurn(5), bookTurn(70, 99, 101), timerTurn(90)])).toMatchObject({ from: T0 + 5, to: T0 + 90 });
});

test('books are kept by market, without invalid ones', () => {
  const { markets } = seriesOf([
    bookTurn(0, 99, 101),
    bookTurn(10, 102, 101),
    bookTurn(20, 5, 6, ETH),
    bookTurn(30, 99, 101),
    bookTurn(40, 99, 102),
  ]);
  expect(markets.map(({ market }) => market.symbol)).toEqual(['BTCUSDC', 'ETHUSDC']);
  const [btc, eth] = markets.map(({ tops }) => [[...tops.times].map((at) => at - T0), [...tops.column('bid')], [...tops.column('ask')]]);
  expect(btc).toEqual([
    [0, 40],
    [990, 990],
    [1_010, 1_020],
  ]);
  expect(eth).toEqual([[20], [500], [600]]);
});

test('accounts are kept with the fees and the funding so far', () => {
  const { account, markets } = seriesOf([
    accountTurn(0, { mf: 1_000, funding: 5 }),
    fillsTurn(10, fillAt(8, 'bid', 100, 1, { fee: 0.25 }), fillAt(9, 'bid', 100, 1)),
    accountTurn(500, { mf: 990, funding: 3, position: 2, pn: 200, entry: 100 }),
    fillsTurn(510, fillAt(509, 'ask', 100, 1, { fee: -0.05 })),
    accountTurn(1_000, { mf: 995, funding: 3, position: 1 }),
  ]);
  expect([...account.column('mf')]).toEqual([1_000, 990, 995].map(money));
  expect([...account.column('fees')]).toEqual([0, 0.25, 0.2].map(money));
  expect([...account.column('funding')]).toEqual([0, -2, -2].map(money)); // what the first account owed is from before
  expect([...markets[0]!.positions.column('size')]).toEqual([0, 20_000, 10_000]);
  expect([...markets[1]!.positions.column('size')]).toEqual([0]);
});

const mark = (at: number, price: number) =>
  turn({
    kind: 'infoSeen',
    at: T0 + at,
    asked: T0 + at,
    infos: [{ market: 0, frozen: false, mark: ticks(price * 10) }],
  });

test('a position from before the run is valued at the first mark price after the first account', () => {
  const { markets } = seriesOf([mark(0, 90), accountTurn(1, { mf: 1_000, position: 2, entry: 50 }), mark(2, 100), mark(3, 110)]);
  expect(markets[0]!.opening).toEqual({ size: 20_000, mark: 1_000 });
  expect(markets[1]!.opening).toBeUndefined();
});

test('fills are in order of exchange time, however late they arrive', () => {
  const { fills } = seriesOf([fillsTurn(10, fillAt(9, 'bid', 100, 1)), fillsTurn(20, fillAt(3, 'bid', 100, 1))]);
  expect(fills.map(({ time }) => time - T0)).toEqual([3, 9]);
});

const findingOf = (reason: string, verdict: 'shrink' | 'refuse') => ({ guard: 'margin', market: 0, side: 'bid' as const, verdict, reason });

test('each guard is kept with its first and last finding', () => {
  const { guards } = seriesOf([
    findingTurn(1, findingOf('one', 'refuse')),
    findingTurn(2, findingOf('two', 'shrink')),
    findingTurn(3, findingOf('three', 'refuse')),
    findingTurn(4, { guard: 'rate', verdict: 'hold', reason: 'slow' }),
  ]);
  expect(guards.get('margin')).toEqual({
    verdicts: { refuse: 2, shrink: 1, hold: 0, close: 0 },
    first: { at: T0 + 1, market: 'BTCUSDC', finding: findingOf('one', 'refuse') },
    last: { at: T0 + 3, market: 'BTCUSDC', finding: findingOf('three', 'refuse') },
  });
  expect(guards.get('rate')?.last.market).toBeUndefined();
});

const livesOf = ({ markets }: ReportSeries) => {
  const { starts, ends, prices, signs } = markets[0]!.restingTimes;
  return [...starts].map((start, i) => [start - T0, ends[i]! - T0, prices[i], signs[i]]);
};

describe('orders', () => {
  test('rest from open to their end, also while their state is unknown', () => {
    const [bid, ask, refused] = [orderOf('1', 'bid', 100), orderOf('2', 'ask', 101), orderOf('3', 'ask', 102)];
    const series = seriesOf([
      changeTurn(0, 'placed', bid),
      changeTurn(5, 'open', bid),
      changeTurn(6, 'open', ask),
      changeTurn(7, 'rejected', refused),
      changeTurn(8, 'unknown', bid),
      changeTurn(9, 'open', bid),
      changeTurn(20, 'filled', bid),
    ]);
    expect(livesOf(series)).toEqual([
      [5, 20, 1_000, 1],
      [6, Infinity, 1_010, -1],
    ]);
  });

  test('of an earlier process rest from the start', () => {
    const collector = new ReportCollector({ markets: [BTC] });
    const orders = [orderOf('1', 'bid', 100), orderOf('2', 'bid', 99, { status: 'pending' })];
    collector.see(timerTurn(3), { orders: () => orders });
    collector.see(changeTurn(8, 'cancelled', orders[0]!), NO_ORDERS);
    expect(livesOf(collector.collected())).toEqual([[3, 8, 1_000, 1]]);
  });
});
