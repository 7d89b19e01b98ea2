// Public replies of the local process: the API document's forms, those of the real process, and what is rejected.
import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/base/wire/framing.ts';
import * as local from '../../../src/venues/wire/json/local.ts';
import { readAs } from '../../../src/venues/wire/json/local.ts';

const time = '2026-01-02T03:04:05.123456Z';
const dateOf = (date: unknown) => readAs(local.fundingRates, [{ date }], 'rates')[0]?.date;
const openOf = (open: unknown) => readAs(local.candles, [{ startTime: time, open, close: 1, high: 1, low: 1 }], 'candles')[0]?.open;

describe('the envelope', () => {
  it.each([
    [
      { success: true, result: [1] },
      { success: true, result: [1] },
    ],
    [
      { success: true, result: null },
      { success: true, result: null },
    ],
    [
      { success: true, result: 'queued', hasMoreData: true },
      { success: true, result: 'queued', hasMoreData: true },
    ],
    [
      { success: true, result: {}, hasMoreData: 'yes', more: 1 },
      { success: true, result: {}, hasMoreData: undefined },
    ],
  ])('%j opens', (value, opened) => {
    expect(readAs(local.envelope, value, 'it')).toEqual(opened);
  });

  it.each([{ success: false, result: 1 }, { result: 1 }, { success: 'true', result: 1 }, { success: 1, result: 1 }, [], null, 'text'])(
    '%j does not',
    (value) => {
      expect(() => readAs(local.envelope, value, 'it')).toThrow(WireError);
    },
  );
});

describe('markets', () => {
  const market = { name: 'BTC-PERP', type: 'future', underlying: 'BTC', enabled: true, ask: 101, bid: 99, price: 100 };

  it('are as the document shows; prices may be null, absent, or text', () => {
    expect(readAs(local.localMarket, market, 'market')).toEqual(market);
    expect(readAs(local.localMarket, { ...market, ask: null, bid: undefined, price: '100.5' }, 'market')).toEqual({
      ...market,
      ask: undefined,
      bid: undefined,
      price: 100.5,
    });
  });

  it.each([{ name: undefined }, { type: 'option' }, { enabled: undefined }, { price: 'much' }])('are refused with %j', (wrong) => {
    expect(() => readAs(local.localMarkets, [{ ...market, ...wrong }], 'markets')).toThrow(`markets at 0.${Object.keys(wrong)[0]}`);
  });
});

describe('numbers', () => {
  it.each([
    [1.5, 1.5],
    ['1.5', 1.5],
    ['-3', -3],
    ['1e-7', 1e-7],
    ['1.2E+3', 1_200],
    ['9007199254740993', 9_007_199_254_740_992],
  ])('%j is %d', (written, value) => {
    expect(openOf(written)).toBe(value);
  });

  it.each(['', ' ', 'NaN', 'Infinity', '0x10', '1,5', '1 000', '.5', '1e999', null, true, [1], {}])('%j is none', (written) => {
    expect(() => openOf(written)).toThrow('candles at 0.open');
  });
});

describe('candle lengths', () => {
  it('are the six below a day, and up to thirty days', () => {
    const lengths = Array.from({ length: 32 * 86_400 + 1 }, (_, seconds) => seconds).filter(local.isCandleResolution);
    expect(lengths).toEqual([15, 60, 300, 900, 3_600, 14_400, ...Array.from({ length: 30 }, (_, index) => (index + 1) * 86_400)]);
    expect([-86_400, 0, 15.5, Number.NaN, Number.POSITIVE_INFINITY].filter(local.isCandleResolution)).toEqual([]);
  });
});

describe('trades', () => {
  const trade = { price: 1, side: 'sell', size: 2, time, liquidation: true, status: 'filled', type: 'market' };

  it('may carry what the real process adds, and lack what it leaves out', () => {
    expect(readAs(local.localTrades, [{ ...trade, createdAt: time, market: 'X', future: 'X' }], 'trades')).toEqual([trade]);
    const { liquidation: _, status: __, type: ___, ...bare } = trade;
    expect(readAs(local.localTrades, [bare], 'trades')).toEqual([{ ...bare, liquidation: false }]);
  });

  it.each([{ side: 'bid' }, { side: undefined }, { time: 'today' }, { size: null }])('are refused with %j', (wrong) => {
    expect(() => readAs(local.localTrades, [{ ...trade, ...wrong }], 'trades')).toThrow(WireError);
  });
});

describe('books', () => {
  it('are pairs of numbers, an empty side included', () => {
    expect(readAs(local.localOrderbook, { asks: [[101, 1]], bids: [] }, 'book')).toEqual({ asks: [[101, 1]], bids: [] });
  });

  it.each([{ asks: undefined }, { asks: [[null, 1]] }, { bids: [[1]] }, { bids: [{ price: 1, size: 1 }] }])(
    'are refused with %j',
    (wrong) => {
      expect(() => readAs(local.localOrderbook, { asks: [], bids: [], ...wrong }, 'book')).toThrow('not an array of [price, size]');
    },
  );
});

describe('funding rates', () => {
  it('have a date, with or without its time', () => {
    expect(dateOf('2026-01-02')).toBe('2026-01-02T00:00:00Z');
    expect(dateOf('2026-01-02T03:00:00')).toBe('2026-01-02T03:00:00Z');
    expect(() => dateOf('2026-13-02')).toThrow(WireError);
    expect(() => dateOf(1_700_000_000)).toThrow(WireError);
  });
});

it('coins lack nothing but what may be absent', () => {
  expect(readAs(local.coins, [{ id: 'SOL', mint: 'So11', canDeposit: true }], 'coins')).toEqual([
    { id: 'SOL', mint: 'So11', canDeposit: true, canWithdraw: false, canConvert: false, collateral: false },
  ]);
  expect(() => readAs(local.coins, [{ id: 'SOL' }], 'coins')).toThrow('coins at 0.mint');
});
