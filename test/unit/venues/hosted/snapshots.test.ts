// The exchange's JSON as domain types, and rejected values.
import { describe, expect, test } from 'vitest';
import { accountOf } from '../../../../src/venues/hosted/account-snapshot.ts';
import { bookOf, fillOf, infosOf, listingOf, tradeOf } from '../../../../src/venues/hosted/snapshots.ts';
import * as wire from '../../../../src/venues/wire/json/hosted.ts';
import { accountPage, bookPage, INFO, livePage, MARGINS } from './bench.ts';

const market = listingOf(wire.info.parse(INFO)).markets[0]!;
const markets = new Map([[market.id, market]]);
const book = (bids: number[][], asks: number[][]) => bookOf(market, wire.orderbook.parse(bookPage('18446744073709551615', bids, asks)));
const infos = (more: object = {}) => infosOf([market], wire.marketsLive.parse(livePage(more)).markets);
const account = (more: object) => accountOf(7, wire.account.parse(accountPage('9007199254740993', more)), markets);
const listed = wire.trade.parse({
  time: '2025-11-20T10:00:00.123456Z',
  actionId: 9,
  tradeId: '9007199254740993',
  takerId: 1,
  takerSide: 'ask',
  makerId: 7,
  marketId: 0,
  orderId: '18446744073709551615',
  price: 99.5,
  baseSize: 0.1,
  makerFee: -0.0001,
  takerFee: null,
});

describe('an order book', () => {
  test('is in ticks and lots, with an exact update id', () => {
    expect(book([[99.5, 1.0001]], [[100.5, 0.3]])).toEqual({
      market: 0,
      updateId: '18446744073709551615',
      bids: [{ price: 995, size: 10_001 }],
      asks: [{ price: 1005, size: 3_000 }],
    });
  });

  test.each([
    ['empty', [], []],
    ['crossed', [[101, 1]], [[100, 1]]],
  ])('is accepted when it is %s; a gate decides about it', (_, bids, asks) => {
    expect(book(bids, asks)).toMatchObject({ bids: bids.map(() => ({ price: 1010 })) });
  });

  test.each([
    ['a price off the tick', [[99.55, 1]], 'a price of 99.55'],
    ['a price of 0', [[0, 1]], 'a price of 0'],
    ['a negative price', [[-1, 1]], 'a price of -1'],
    ['a negative size', [[99, -1]], 'a size of -1'],
    ['a size off the step', [[99, 0.00001]], 'a size of 0.00001'],
    ['a level without size', [[99, 0]], 'a size of 0'],
    ['an absurd price', [[1e30, 1]], 'a price of 1e+30'],
    [
      'levels out of order',
      [
        [99, 1],
        [99.5, 1],
      ],
      'bids that are not in order',
    ],
    [
      'a level twice',
      [
        [99, 1],
        [99, 1],
      ],
      'bids that are not in order',
    ],
  ])('with %s is rejected', (_, bids, reason) => {
    expect(() => book(bids, [])).toThrow(`market BTCUSDC: ${reason}`);
  });
});

describe('live info', () => {
  test('has prices near their tick', () => {
    expect(infos()).toEqual([
      {
        market: 0,
        index: 1000,
        indexConf: 0,
        mark: 1000,
        frozen: false,
        fundingRate: 0.0001,
        nextFunding: Date.UTC(2025, 10, 20, 11),
        openInterest: 12.5,
      },
    ]);
  });

  test('lacks values that are null', () => {
    expect(infos({ indexPrice: null, indexPriceConf: null, markPrice: null, projectedFundingRate: null, frozen: true })[0]).toMatchObject({
      index: undefined,
      indexConf: undefined,
      mark: undefined,
      fundingRate: undefined,
      frozen: true,
    });
  });

  test.each([
    ['a negative index', { indexPrice: -1 }],
    ['a mark of 0', { markPrice: 0 }],
    ['a negative confidence', { indexPriceConf: -1 }],
    ['no row for the market', { marketId: 5 }],
  ])('with %s is rejected', (_, more) => {
    expect(() => infos(more)).toThrow('market BTCUSDC');
  });
});

describe('an account', () => {
  const perp = { baseSize: 0.5, price: 100.123456, isLong: true, tradingPnl: -1.5, fundingPaymentPnl: 0.25, updatedFundingRateIndex: 1 };
  const position = (more: object) => ({ marketId: 0, openOrders: 1, actionId: '99', perp: { ...perp, ...more } });
  const order = {
    orderId: '18446744073709551615',
    marketId: 0,
    side: 'ask',
    price: 101,
    size: 0.5,
    originalOrderSize: 1,
    clientOrderId: '9007199254740993',
  };

  test('has balances, signed positions, orders with exact ids, and margins in millionths', () => {
    expect(account({ positions: [position({})], orders: [order] })).toEqual({
      id: 7,
      updateId: '9007199254740993',
      balances: [{ tokenId: 0, token: 'USDC', amount: 1000.5 }],
      positions: [
        { market: 0, size: 5_000, entry: 100.123456, tradingPnl: -1_500_000, fundingPaymentPnl: 250_000, fundingIndex: 1, actionId: '99' },
      ],
      orders: [
        {
          orderId: '18446744073709551615',
          market: 0,
          side: 'ask',
          price: 1010,
          size: 5_000,
          originalSize: 10_000,
          clientOrderId: '9007199254740993',
        },
      ],
      margins: { omf: 1_000_500_000, mf: 1_000_500_000, imf: 10e6, cmf: 8e6, mmf: 5e6, pon: 200e6, pn: 100e6, bankruptcy: false },
    });
  });

  test.each([
    ['short', { isLong: false }, -5_000],
    ['short, with both signs', { isLong: false, baseSize: -0.5 }, -5_000],
    ['flat', { baseSize: 0 }, 0],
  ])('may be %s', (_, more, size) => {
    expect(account({ positions: [position(more)] }).positions).toMatchObject([{ size }]);
  });

  test('is flat if there is no perpetual position, and has no entry', () => {
    expect(account({ positions: [{ ...position({}), perp: null }] }).positions).toEqual([
      { market: 0, size: 0, tradingPnl: 0, fundingPaymentPnl: 0, actionId: '99' },
    ]);
  });

  test.each([
    ['a long position of a negative size', { positions: [position({ baseSize: -0.5 })] }],
    ['an order off the tick', { orders: [{ ...order, price: 101.01 }] }],
    ['a position in an unlisted market', { positions: [{ ...position({}), marketId: 9 }] }],
    ['margins that are too large', { margins: { ...MARGINS, omf: 1e300 } }],
  ])('with %s is rejected', (_, more) => {
    expect(() => account(more)).toThrow(/market|omf/);
  });
});

describe('a trade', () => {
  test('is one of the market', () => {
    expect(tradeOf(listed, markets)).toEqual({
      tradeId: '9007199254740993',
      market: 0,
      takerSide: 'ask',
      price: 995,
      size: 1_000,
      time: Date.UTC(2025, 10, 20, 10, 0, 0, 123),
    });
  });

  test('is a fill on our side, with the fee of our role', () => {
    const common = { tradeId: '9007199254740993', market: 0, price: 995, size: 1_000, actionId: '9', orderId: '18446744073709551615' };
    const time = Date.UTC(2025, 10, 20, 10, 0, 0, 123);
    expect(fillOf(listed, { role: 'maker', markets })).toEqual({ ...common, time, role: 'maker', side: 'bid', fee: -100 });
    expect(fillOf(listed, { role: 'taker', markets })).toEqual({ ...common, time, role: 'taker', side: 'ask' });
  });
});
