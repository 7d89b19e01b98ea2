// The endpoints of the local API for markets, books, trades and funding rates.
import { describe, expect, test } from 'vitest';
import { micros } from '../../../../src/bot/domain/numbers.ts';
import { anyNumber, HOUR, ISO_8601, openLocalApi, START } from './open-api.ts';

const lively = openLocalApi({ traders: true });
lively.exchange.advanceTo(START + 90_000);
const { read } = lively;

const FUTURE = { type: 'future', enabled: true, ask: anyNumber, bid: anyNumber, price: anyNumber };

describe('markets', () => {
  test('are named as perpetuals and as base/quote, best prices and mark included', () => {
    expect(read('/markets')).toEqual([
      { name: 'BTC-PERP', underlying: 'BTC', ...FUTURE },
      { name: 'ETH-PERP', underlying: 'ETH', ...FUTURE },
      { name: 'SOL-PERP', underlying: 'SOL', ...FUTURE },
      { ...FUTURE, name: 'SOL/USDC', type: 'spot' },
    ]);
  });

  test('match the hosted API for the same market', () => {
    const [book, live] = [lively.exchange.book(0)!, lively.exchange.live(0)!];
    expect(read('/markets/BTC-PERP')).toMatchObject({
      ask: book.asks[0]!.price / 10,
      bid: book.bids[0]!.price / 10,
      price: live.mark! / 10,
    });
  });

  test('a spot name may be escaped or not', () => {
    expect(read('/markets/SOL%2FUSDC')).toEqual(read('/markets/SOL/USDC'));
    expect(read('/markets/SOL/USDC/orderbook?depth=1')).toEqual(read('/markets/SOL%2FUSDC/orderbook?depth=1'));
  });

  test('a frozen one is not enabled; an empty side has no price', () => {
    const { exchange, read: ask, theirs } = openLocalApi();
    theirs('bid', 0.1, 59_000);
    exchange.freeze(0, true);
    expect(ask('/markets/BTC-PERP')).toMatchObject({ enabled: false, bid: 59_000, ask: null, price: 60_000 });
  });
});

describe('an order book', () => {
  interface Levels {
    readonly asks: [number, number][];
    readonly bids: [number, number][];
  }

  test('has every level, best first, or as many as requested', () => {
    const whole = read('/markets/BTC-PERP/orderbook') as Levels;
    const book = lively.exchange.book(0)!;
    expect(whole).toEqual({
      asks: book.asks.map(({ price, size }) => [price / 10, size / 10_000]),
      bids: book.bids.map(({ price, size }) => [price / 10, size / 10_000]),
    });
    expect(whole.asks.length).toBeGreaterThan(3);
    expect(read('/markets/BTC-PERP/orderbook?depth=3')).toEqual({ asks: whole.asks.slice(0, 3), bids: whole.bids.slice(0, 3) });
    expect(read('/markets/BTC-PERP/orderbook?depth=1000')).toEqual(whole);
  });
});

describe('trades', () => {
  const TRADE = {
    price: anyNumber,
    side: expect.stringMatching(/^(buy|sell)$/) as string,
    size: anyNumber,
    time: ISO_8601,
    liquidation: false,
    status: 'filled',
    type: 'market',
  };

  test('come newest first, the side the taker’s', () => {
    const trades = read('/markets/BTC-PERP/trades') as Record<string, unknown>[];
    expect(trades).toEqual(Array.from({ length: 50 }, () => TRADE));
    const [newest] = lively.exchange.trades({ marketId: 0 }).items;
    const { price, size, takerSide, time } = newest!;
    expect(trades[0]).toMatchObject({
      price: price / 10,
      size: size / 10_000,
      side: takerSide === 'bid' ? 'buy' : 'sell',
      time: new Date(time).toISOString(),
    });
  });

  test('in pages from 1, which is also page 0, until there are none', () => {
    const all: unknown[] = [];
    for (let page = 1; ; page++) {
      const trades = read(`/markets/BTC-PERP/trades?page=${page}`) as unknown[];
      if (trades.length === 0) break;
      all.push(...trades);
    }
    let count = 0;
    let cursor: string | undefined;
    do {
      const page = lively.exchange.trades({ marketId: 0, startInclusive: cursor });
      count += page.items.length;
      cursor = page.nextStartInclusive;
    } while (cursor !== undefined);
    expect(all).toHaveLength(count);
    expect(read('/markets/BTC-PERP/trades?page=0')).toEqual(all.slice(0, 50));
    expect(read('/markets/BTC-PERP/trades?page=4000000000')).toEqual([]);
  });

  test('mark a liquidation', () => {
    const { exchange, theirs, index, pass, read: ask } = openLocalApi();
    const poor = exchange.register('poor', micros(3_500e6));
    theirs('ask', 1, 60_000);
    const order = { account: poor, market: 0, side: 'bid', fillMode: 'IMMEDIATE_OR_CANCEL', size: 10_000 as never } as const;
    expect(exchange.place(order).kind).toBe('accepted');
    theirs('bid', 5, 57_900);
    index(57_900);
    pass(100);
    const trades = ask('/markets/BTC-PERP/trades') as { liquidation: boolean; side: string }[];
    expect(trades.map(({ liquidation, side }) => [liquidation, side])).toEqual([
      [true, 'sell'],
      [false, 'buy'],
    ]);
  });
});

describe('funding rates', () => {
  // Over two full hours, a mid of 60 over the index throughout.
  const context = openLocalApi({ start: Date.UTC(2026, 0, 15, 12, 59) });
  context.theirs('bid', 0.5, 60_059.9);
  context.theirs('ask', 2.5, 60_060.1);
  context.order({ price: 60_060.1, size: 2 });
  context.pass(HOUR + 60_000);
  const { read: ask, exchange } = context;

  test('by the hour, newest first: the cumulative index, and what longs paid', () => {
    const rates = ask('/funding_rates?future=BTC-PERP') as { date: string; fundingIndex: number; fundingCollected: number }[];
    expect(rates).toEqual([
      { date: '2026-01-15T14:00:00.000Z', future: 'BTC-PERP', fundingIndex: anyNumber, fundingCollected: anyNumber },
      { date: '2026-01-15T13:00:00.000Z', future: 'BTC-PERP', fundingIndex: anyNumber, fundingCollected: anyNumber },
    ]);
    const [second, first] = rates;
    expect(second!.fundingIndex).toBe(exchange.stats(0)!.aggregatedFundingIndex);
    expect(first!.fundingCollected).toBeCloseTo(2 * first!.fundingIndex, 5);
    expect(second!.fundingCollected).toBeCloseTo(2 * (second!.fundingIndex - first!.fundingIndex), 5);
    expect(second!.fundingCollected).toBeCloseTo((2 * 60) / 24, 1);
  });

  test('of all futures without a name, by either name of the filter with one', () => {
    expect(ask('/funding_rates')).toHaveLength(6);
    expect(ask('/funding_rates?market_name=ETH-PERP')).toEqual(ask('/funding_rates?future=ETH-PERP'));
    expect(ask('/funding_rates?future=ETH-PERP&page=2')).toEqual([]);
  });
});

test('the exchange catches up before every answer', () => {
  const { read: ask, ticks } = openLocalApi();
  ask('/markets');
  ask('/account');
  expect(ticks()).toBe(2);
});
