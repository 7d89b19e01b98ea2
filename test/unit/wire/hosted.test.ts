// Replies of the hosted exchange: the API document's samples, the known variants, and what is rejected.
import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/base/wire/framing.ts';
import * as hosted from '../../../src/venues/wire/json/hosted.ts';
import { readAs } from '../../../src/venues/wire/json/hosted.ts';

const trade = {
  time: '2026-01-02T03:04:05.123456Z',
  actionId: 1,
  tradeId: '18446744073709551615',
  takerId: 4,
  takerSide: 'bid',
  makerId: 5,
  marketId: 0,
  orderId: 9007199254740991,
  price: 100.5,
  baseSize: 0.1,
};
const perp = { baseSize: 1, price: 2, isLong: true, tradingPnl: 3, fundingPaymentPnl: 4, updatedFundingRateIndex: 5 };
const margins = { omf: 1, mf: 2, imf: 3, cmf: 4, mmf: 5, pon: 6, pn: 7, bankruptcy: false };
const account = {
  updateId: 10,
  balances: [{ tokenId: 0, token: 'USDC', amount: 1000.5 }],
  positions: [
    { marketId: 0, openOrders: 1, perp, actionId: 7 },
    { marketId: 3, openOrders: 1, perp: null, actionId: 8 },
  ],
  orders: [{ orderId: 1, marketId: 0, side: 'ask', price: 1, size: 2, originalOrderSize: 3, clientOrderId: null }],
  margins,
};

const idOf = (id: unknown) => readAs(hosted.openOrder, { ...account.orders[0], orderId: id }, 'order').orderId;
const timeOf = (time: string) => readAs(hosted.trade, { ...trade, time }, 'trade').time;
const liveOf = (row: object) => readAs(hosted.marketsLive, { markets: [row] }, 'live').markets[0];
const pnlOf = (pnl: object) =>
  readAs(
    hosted.account,
    { ...account, positions: [{ marketId: 0, openOrders: 0, actionId: 1, perp: { ...perp, tradingPnl: undefined, ...pnl } }] },
    'account',
  ).positions[0]?.perp?.tradingPnl;

describe('order books', () => {
  const book = { updateId: 5, bids: [[99, 1]], asks: [[101, 2]], bidsSummary: { sum: 1, count: 1 }, asksSummary: { sum: 2, count: 1 } };

  it('are as the document shows, an empty side included', () => {
    expect(readAs(hosted.orderbook, { ...book, asks: [], news: 1 }, 'book')).toEqual({ ...book, updateId: '5', asks: [] });
  });

  it.each([
    ['a null price', { bids: [[null, 1]] }, 'book at bids: not an array of [price, size]'],
    ['a price as text', { bids: [['99', 1]] }, 'book at bids'],
    ['an endless price', { asks: [[Number.POSITIVE_INFINITY, 1]] }, 'book at asks'],
    ['a level without size', { asks: [[101]] }, 'book at asks'],
    ['levels as objects', { asks: [{ price: 1, size: 1 }] }, 'book at asks'],
    ['no bids', { bids: undefined }, 'book at bids'],
    ['no update id', { updateId: undefined }, 'book at updateId'],
  ])('are refused with %s', (_, wrong, message) => {
    expect(() => readAs(hosted.orderbook, { ...book, ...wrong }, 'book')).toThrow(WireError);
    expect(() => readAs(hosted.orderbook, { ...book, ...wrong }, 'book')).toThrow(message);
  });
});

describe('ids', () => {
  it.each([
    [0, '0'],
    [9007199254740991, '9007199254740991'],
    ['18446744073709551615', '18446744073709551615'],
  ])('%s is text', (id, text) => expect(idOf(id)).toBe(text));

  it.each([-1, 1.5, 2 ** 53, '18446744073709551616', '007', '', '-1', '1e3', null, {}, true])('%j is none', (id) => {
    expect(() => idOf(id)).toThrow('order at orderId');
  });
});

describe('trades', () => {
  it('have exact ids, and fees if there are any', () => {
    const page = { items: [{ ...trade, makerFee: null, takerFee: 0.01 }, trade], nextStartInclusive: 77 };
    const { items, nextStartInclusive } = readAs(hosted.tradesPage, page, 'trades');
    expect(items[0]).toEqual({ ...trade, actionId: '1', orderId: '9007199254740991', makerFee: undefined, takerFee: 0.01 });
    expect(items[1]?.takerFee).toBeUndefined();
    expect(nextStartInclusive).toBe('77');
  });

  it.each([{ items: [] }, { items: [], nextStartInclusive: null }])('end with a cursor that is null or absent: %j', (page) => {
    expect(readAs(hosted.tradesPage, page, 'trades').nextStartInclusive).toBeUndefined();
  });

  it('are refused with a side or a time that is none', () => {
    expect(() => readAs(hosted.trade, { ...trade, takerSide: 'buy' }, 'trade')).toThrow('trade at takerSide');
    expect(() => readAs(hosted.trade, { ...trade, time: 'yesterday' }, 'trade')).toThrow('trade at time: not an RFC 3339 time');
  });
});

describe('times', () => {
  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
  ])('%s', (text, utc) => expect(new Date(timeOf(text)).toISOString()).toBe(utc));
});

describe('live markets', () => {
  const common = { marketId: 1, indexPrice: 10, indexPriceConf: 0.1, frozen: false };
  const rest = { markPrice: 11, nextFundingTime: '2026-01-02T03:00:00Z', openInterest: 5 };
  const row = { ...common, ...rest, projectedFundingRate: 0.0001 };

  it('are flat, as the document shows', () => expect(liveOf(row)).toEqual(row));
  it('or nested', () => expect(liveOf({ ...common, perpetuals: { ...rest, fundingRate: 0.0001 } })).toEqual(row));
  it('or with the shorter name', () => expect(liveOf({ ...common, ...rest, fundingRate: 0.0001 })).toEqual(row));

  it('may lack every price, and whether they are frozen', () => {
    const empty = { marketId: 1, indexPrice: null, indexPriceConf: null, markPrice: null, projectedFundingRate: null, perpetuals: null };
    expect(liveOf({ ...empty, nextFundingTime: rest.nextFundingTime, openInterest: 0 })).toEqual({
      marketId: 1,
      frozen: false,
      nextFundingTime: rest.nextFundingTime,
      openInterest: 0,
      indexPrice: undefined,
      indexPriceConf: undefined,
      markPrice: undefined,
      projectedFundingRate: undefined,
    });
  });

  it('are refused with a price as text', () => expect(() => liveOf({ ...row, markPrice: '11' })).toThrow('live at markets.0.markPrice'));
});

describe('users', () => {
  const expiry = '2026-01-02T03:04:05Z';
  it.each([
    ['a map', { '18446744073709551615': { pubkey: 'A', expiry } }, '18446744073709551615'],
    ['a list', [{ sessionId: 3, pubkey: 'A', expiry }], '3'],
    ['a list without ids', [{ pubkey: 'A', expiry }], undefined],
    ['a map by something else', { main: { pubkey: 'A', expiry } }, undefined],
  ])('have sessions as %s', (_, sessions, sessionId) => {
    expect(readAs(hosted.user, { accountIds: [1, 2], sessions }, 'user')).toEqual({
      accountIds: [1, 2],
      sessions: [{ pubkey: 'A', expiry, sessionId }],
    });
  });

  it.each([{}, { sessions: null }, { sessions: {} }, { sessions: [] }])('may have none: %j', (sessions) => {
    expect(readAs(hosted.user, { accountIds: [], ...sessions }, 'user').sessions).toEqual([]);
  });
});

describe('accounts', () => {
  it('are as the document shows', () => {
    expect(readAs(hosted.account, account, 'account')).toEqual({
      ...account,
      updateId: '10',
      positions: [
        { marketId: 0, openOrders: 1, perp, actionId: '7' },
        { marketId: 3, openOrders: 1, perp: undefined, actionId: '8' },
      ],
      orders: [{ ...account.orders[0], orderId: '1', clientOrderId: undefined }],
    });
  });

  it('prefer tradingPnl, and fall back to the older name', () => {
    expect(pnlOf({ tradingPnl: 1, sizePricePnl: 2 })).toBe(1);
    expect(pnlOf({ sizePricePnl: 2 })).toBe(2);
    expect(() => pnlOf({})).toThrow('account at positions.0.perp: no tradingPnl');
  });

  it('are refused without a margin', () => {
    expect(() => readAs(hosted.account, { ...account, margins: { ...margins, omf: null } }, 'account')).toThrow('account at margins.omf');
    expect(() => readAs(hosted.account, null, 'account')).toThrow('account: Invalid input');
  });

  it('have a history of which little is sure', () => {
    const order = { orderId: 1, marketId: 0, side: 'bid', placedSize: 2 };
    expect(readAs(hosted.ordersPage, { items: [order] }, 'orders').items[0]).toMatchObject({ ...order, orderId: '1' });
    const full = {
      ...order,
      fillMode: 'PostOnly',
      finalizationReason: 'Filled',
      filledSize: null,
      addedAt: trade.time,
      updateActionId: '5',
    };
    expect(readAs(hosted.ordersPage, { items: [full] }, 'orders').items[0]).toMatchObject({ fillMode: 'PostOnly', updateActionId: '5' });
  });
});

describe('the rest', () => {
  it('fee brackets come in parts per million, or in basis points', () => {
    const brackets = [
      [0, { maker_fee_ppm: 100, taker_fee_ppm: 350 }],
      [1, { maker_fee_bps: 0.5, taker_fee_bps: 3 }],
    ];
    expect(readAs(hosted.feeBrackets, brackets, 'brackets')).toEqual([
      { tier: 0, makerFeePpm: 100, takerFeePpm: 350 },
      { tier: 1, makerFeePpm: 50, takerFeePpm: 300 },
    ]);
    expect(() => readAs(hosted.feeBrackets, [[0, {}]], 'brackets')).toThrow('brackets at 0.1');
  });

  it('markets and tokens', () => {
    const market = {
      marketId: 0,
      symbol: 'BTCUSDC',
      baseTokenId: 1,
      quoteTokenId: 0,
      priceDecimals: 1,
      sizeDecimals: 4,
      imf: 0.1,
      cmf: 0.06,
      mmf: 0.05,
    };
    const token = { tokenId: 0, symbol: 'USDC', decimals: 6, mintAddr: 'x', weightBps: 10000 };
    expect(readAs(hosted.info, { markets: [{ ...market, extra: 1 }], tokens: [token] }, 'info')).toEqual({
      markets: [market],
      tokens: [token],
    });
    expect(() => readAs(hosted.info, { markets: [{ ...market, priceDecimals: 1.5 }], tokens: [] }, 'info')).toThrow(
      'info at markets.0.priceDecimals',
    );
  });

  it('statistics of which anything may be null', () => {
    const stats = readAs(hosted.marketStats, { indexPrice: null, volumeBase24h: 1, volumeQuote24h: 2, perpStats: null }, 'stats');
    expect(stats).toMatchObject({ frozen: false, volumeBase24h: 1 });
    expect(stats.perpStats).toBeUndefined();
    expect(readAs(hosted.marketStats, { perpStats: { mark_price: null, funding_rate: 0.1 } }, 'stats').perpStats).toMatchObject({
      funding_rate: 0.1,
    });
  });

  it('take-alls with raw amounts, exact', () => {
    const take = { time: trade.time, actionId: 1, takerAccountId: 2, takerSide: 'ask', marketId: 0, makerAccountId: 3 };
    const raw = { settlementPrice: 5, baseSize: '9007199254740993', bankruptcyPrice: -1 };
    expect(readAs(hosted.takeAllInfos, [{ ...take, ...raw }], 'takes')).toEqual([
      { ...take, actionId: '1', settlementPrice: '5', baseSize: '9007199254740993', bankruptcyPrice: '-1' },
    ]);
  });

  it('single numbers', () => {
    expect([readAs(hosted.feeTier, 3, 'tier'), readAs(hosted.feeRate, -0.00035, 'rate'), readAs(hosted.timestamp, 1.7e9, 'time')]).toEqual([
      3, -0.00035, 1.7e9,
    ]);
    expect(() => readAs(hosted.timestamp, '1700000000', 'time')).toThrow('time: Invalid input: expected number');
  });

  it('errors never carry what a stranger put into a key', () => {
    const sessions = { '\u001b[31m': { pubkey: 1, expiry: 'x' } };
    expect(() => readAs(hosted.user, { accountIds: [], sessions }, 'user')).not.toThrow('\u001b');
  });
});
