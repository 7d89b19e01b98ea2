// What each GET of surface B answers: the interface document's fields, types, nulls and order, and its 404s.
import { beforeAll, describe, expect, test } from 'vitest';
import { micros, ticks } from '../../../../src/domain/numbers.ts';
import * as shapes from '../../../../src/wire/hosted.ts';
import { ASK, BID, keyOf, openDesk, postedId, START, userOf } from './desk.ts';

const anyNumber = expect.any(Number) as number;
const RFC_3339 = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/) as string;
const END = START + 90_000;

/** A minute and a half of a lively exchange, in which trader 1 was filled from both sides and keeps an order. */
const desk = openDesk({ crowded: true });
const maker = desk.trader(1);
const clientOrderId = '9007199254740993';
let resting: string;

beforeAll(() => {
  desk.exchange.advanceTo(END);
  const [bid, ask] = [desk.exchange.book(0)?.bids[0]?.price ?? 0, desk.exchange.book(0)?.asks[0]?.price ?? 0];
  maker.place({ ...BID, price: BigInt(ask), size: 30n, fillMode: 'IMMEDIATE_OR_CANCEL' });
  resting = postedId(maker.place({ ...BID, price: BigInt(bid - 5), clientOrderId }));
});

const get = (path: string): unknown => {
  const { status, body } = desk.get(path);
  expect(status).toBe(200);
  return body;
};

const account = () => get(`/account/${maker.account}`) as { orders: unknown[]; positions: unknown[] };

describe('markets', () => {
  test('/info lists markets and tokens, each at the place of its id', () => {
    const info = get('/info') as { markets: unknown[]; tokens: unknown[] };
    expect(Object.keys(info)).toEqual(['markets', 'tokens']);
    expect(info.markets).toEqual(
      desk.exchange.markets.map(({ symbol }, marketId) => ({
        marketId,
        symbol,
        baseTokenId: anyNumber,
        quoteTokenId: 0,
        priceDecimals: anyNumber,
        sizeDecimals: anyNumber,
        imf: anyNumber,
        mmf: anyNumber,
        cmf: anyNumber,
      })),
    );
    const token = {
      symbol: expect.any(String) as string,
      decimals: anyNumber,
      mintAddr: expect.any(String) as string,
      weightBps: anyNumber,
    };
    expect(info.tokens).toEqual(info.tokens.map((_, tokenId) => ({ tokenId, ...token })));
    expect(info.tokens[0]).toMatchObject({ symbol: 'USDC', weightBps: 10_000 });
  });

  test('/markets/live has a row a market', () => {
    const { markets } = get('/markets/live') as { markets: unknown[] };
    const row = { indexPrice: anyNumber, indexPriceConf: anyNumber, frozen: false, markPrice: anyNumber, openInterest: anyNumber };
    expect(markets).toEqual(
      desk.exchange.markets.map(({ spec }, marketId) => ({
        marketId,
        ...row,
        projectedFundingRate: spec.kind === 'perp' ? anyNumber : null,
        nextFundingTime: '2026-01-15T13:00:00.000Z',
      })),
    );
  });

  test('/market/{id}/stats of a perpetual and of a spot market', () => {
    const stats = {
      indexPrice: anyNumber,
      indexPriceConf: anyNumber,
      frozen: false,
      volumeBase24h: anyNumber,
      volumeQuote24h: anyNumber,
      high24h: anyNumber,
      low24h: anyNumber,
      close24h: anyNumber,
      prevClose24h: null,
    };
    const perpStats = {
      mark_price: anyNumber,
      funding_rate: anyNumber,
      next_funding_time: '2026-01-15T13:00:00.000Z',
      open_interest: anyNumber,
      aggregated_funding_index: anyNumber,
    };
    expect(get('/market/0/stats')).toEqual({ ...stats, perpStats });
    expect(get('/market/3/stats')).toEqual({ ...stats, perpStats: null });
  });

  test('a new market without trades says null where nothing is known', () => {
    const { get: ask } = openDesk();
    expect(ask('/market/0/stats').body).toMatchObject({
      high24h: null,
      low24h: null,
      close24h: null,
      prevClose24h: null,
      perpStats: { funding_rate: 0 },
    });
    expect(ask('/markets/live').body).toMatchObject({ markets: [{ projectedFundingRate: null }, {}, {}, {}] });
    expect(ask('/market/0/orderbook').body).toMatchObject({ bids: [], asks: [], bidsSummary: { sum: 0, count: 0 } });
  });

  test('a market that is frozen says so', () => {
    const { get: ask, exchange } = openDesk();
    exchange.freeze(1, true);
    expect(ask('/market/1/stats').body).toMatchObject({ frozen: true });
    expect(ask('/markets/live').body).toMatchObject({
      markets: [{ frozen: false }, { frozen: true }, { frozen: false }, { frozen: false }],
    });
  });

  test('/market/{id}/orderbook is sorted from the touch outwards, with sums', () => {
    const book = get('/market/0/orderbook') as Record<'bids' | 'asks', [number, number][]> &
      Record<'bidsSummary' | 'asksSummary', { sum: number }>;
    expect(Object.keys(book).sort()).toEqual(['asks', 'asksSummary', 'bids', 'bidsSummary', 'updateId']);
    for (const side of ['bids', 'asks'] as const) {
      const prices = book[side].map(([price]) => price);
      expect(prices.length).toBeGreaterThan(3);
      expect(prices).toEqual(prices.toSorted((a, b) => (side === 'bids' ? b - a : a - b)));
      expect(book[`${side}Summary`]).toEqual({ sum: anyNumber, count: prices.length });
      expect(book[`${side}Summary`].sum).toBeCloseTo(
        book[side].reduce((sum, [, size]) => sum + size, 0),
        9,
      );
    }
    expect(book.bids[0]?.[0]).toBeLessThan(book.asks[0]?.[0] ?? 0);
  });

  test('/fee/brackets/info: ten tiers, the discounted ones never dearer', () => {
    const brackets = get('/fee/brackets/info') as [number, Record<'maker_fee_ppm' | 'taker_fee_ppm', number>][];
    expect(brackets.map(([tier]) => tier)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(brackets[0]?.[1]).toEqual({ maker_fee_ppm: 100, taker_fee_ppm: 350 });
    for (const tier of [0, 1, 2, 3, 4]) {
      for (const fee of ['maker_fee_ppm', 'taker_fee_ppm'] as const) {
        expect(brackets[tier + 5]?.[1][fee]).toBeLessThanOrEqual(brackets[tier]?.[1][fee] ?? -1);
      }
    }
  });

  test('/timestamp is engine time in whole seconds', () => {
    expect(get('/timestamp')).toBe(Math.floor(END / 1000));
  });

  test('every answer is brought to the present first', () => {
    const { get: ask, ticks: ticked } = openDesk();
    ask('/timestamp');
    ask('/nowhere');
    expect(ticked()).toBe(2);
  });
});

describe('trades', () => {
  interface PageOfTrades {
    readonly items: readonly {
      readonly tradeId: number;
      readonly time: string;
      readonly takerId: number;
      readonly takerSide: string;
      readonly marketId: number;
    }[];
    readonly nextStartInclusive: number | null;
  }
  const page = (query: string): PageOfTrades => get(`/trades${query}`) as PageOfTrades;

  function pages(query: string): PageOfTrades['items'] {
    const items: PageOfTrades['items'][number][] = [];
    for (let cursor: number | null | undefined; cursor !== null; ) {
      const next = page(`?${query}${cursor === undefined ? '' : `&startInclusive=${cursor}`}`);
      items.push(...next.items);
      cursor = next.nextStartInclusive;
    }
    return items;
  }

  test('an item has the fields of the document', () => {
    const { items, nextStartInclusive } = page(`?takerId=${maker.account}`);
    const ids = { actionId: anyNumber, tradeId: anyNumber, makerId: anyNumber, orderId: anyNumber };
    const fees = { makerFee: anyNumber, takerFee: anyNumber };
    expect(items[0]).toEqual({
      time: RFC_3339,
      takerId: maker.account,
      takerSide: 'bid',
      marketId: 0,
      price: anyNumber,
      baseSize: anyNumber,
      ...ids,
      ...fees,
    });
    expect(nextStartInclusive).toBeNull();
  });

  test('fifty a page, from the present to the past, each once, until null', () => {
    expect(page('').items).toHaveLength(50);
    expect(page('?pageSize=7').items).toHaveLength(7);
    expect(page('?pageSize=51').items).toHaveLength(50);
    const ids = pages('pageSize=37').map(({ tradeId }) => tradeId);
    expect(ids.length).toBeGreaterThan(60);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(ids.length);
    expect(pages('').map(({ tradeId }) => tradeId)).toEqual(ids);
  });

  test('filters narrow; since is inclusive, until is not', () => {
    const all = pages('');
    expect(pages('takerSide=ask&marketId=1')).toEqual(all.filter(({ takerSide, marketId }) => takerSide === 'ask' && marketId === 1));
    const { time = '' } = all[20] ?? {};
    expect(pages(`since=${time}`)).toEqual(all.filter((trade) => trade.time >= time));
    expect(pages(`until=${time}`)).toEqual(all.filter((trade) => trade.time < time));
    const zoned = new Date(Date.parse(time) + 3_600_000).toISOString().replace('Z', '+01:00');
    expect(pages(`since=${zoned}&until=${zoned}`)).toEqual([]);
    expect(pages(`since=${zoned}`)).toEqual(pages(`since=${time}`));
  });

  test('what nobody did is an empty page', () => {
    for (const query of ['?marketId=77', '?makerId=4294967295', '?startInclusive=0', '?until=1970-01-01T00:00:00Z']) {
      expect(page(query)).toEqual({ items: [], nextStartInclusive: null });
    }
  });
});

describe('accounts', () => {
  test('/account/{id} has balances, positions, orders and margins', () => {
    expect(account()).toEqual({
      updateId: anyNumber,
      balances: [{ tokenId: 0, token: 'USDC', amount: anyNumber }],
      positions: [
        {
          marketId: 0,
          openOrders: 1,
          perp: {
            baseSize: 0.003,
            price: anyNumber,
            isLong: true,
            tradingPnl: anyNumber,
            sizePricePnl: anyNumber,
            fundingPaymentPnl: anyNumber,
            updatedFundingRateIndex: anyNumber,
          },
          actionId: anyNumber,
        },
      ],
      orders: [
        {
          orderId: Number(resting),
          marketId: 0,
          side: 'bid',
          price: anyNumber,
          size: 0.01,
          originalOrderSize: 0.01,
          clientOrderId: anyNumber,
        },
      ],
      margins: {
        omf: anyNumber,
        mf: anyNumber,
        imf: anyNumber,
        cmf: anyNumber,
        mmf: anyNumber,
        pon: anyNumber,
        pn: anyNumber,
        bankruptcy: false,
      },
    });
  });

  test('an id above 2^53 is written with all its digits', () => {
    const { body } = desk.send({ method: 'GET', path: `/account/${maker.account}` });
    expect(new TextDecoder().decode(body)).toContain(`"clientOrderId":${clientOrderId}}`);
  });

  test('a market with only orders has no position; an order without a client id says null', () => {
    const { trader, get: ask } = openDesk();
    const { place, account: id } = trader(1);
    place(BID);
    expect(ask(`/account/${id}`).body).toMatchObject({
      positions: [{ marketId: 0, openOrders: 1, perp: null }],
      orders: [{ clientOrderId: null }],
    });
  });

  test('a short position is not long, and its size is positive', () => {
    const { trader, get: ask } = openDesk();
    trader(1).place(BID);
    const { place, account: id } = trader(2);
    place({ ...ASK, price: BID.price });
    expect(ask(`/account/${id}`).body).toMatchObject({
      positions: [{ openOrders: 0, perp: { baseSize: 0.01, price: 59_900, isLong: false } }],
    });
  });

  test('/account/{id}/orders is the history, newest first, finished orders included', () => {
    const { items, nextStartInclusive } = get(`/account/${maker.account}/orders`) as { items: unknown[]; nextStartInclusive: null };
    expect(nextStartInclusive).toBeNull();
    const both = {
      traderId: maker.account,
      marketId: 0,
      marketSymbol: 'BTCUSDC',
      tokenSymbol: 'BTC',
      side: 'bid',
      isReduceOnly: false,
      placedPrice: anyNumber,
      originalPriceLimit: anyNumber,
      placementOrigin: 'User',
      addedAt: RFC_3339,
      updatedAt: RFC_3339,
      updateActionId: anyNumber,
    };
    const open = { orderId: Number(resting), fillMode: 'Limit', placedSize: 0.01, originalSizeLimit: 0.01, filledSize: 0 };
    const done = { orderId: anyNumber, fillMode: 'ImmediateOrCancel', placedSize: 0.003, originalSizeLimit: 0.003, filledSize: 0.003 };
    expect(items).toEqual([
      { ...both, ...open, finalizationReason: null, tradeId: null },
      { ...both, ...done, finalizationReason: 'Filled', tradeId: anyNumber },
    ]);
  });

  test('the history comes in pages', () => {
    const path = `/account/${maker.account}/orders?pageSize=1`;
    const first = get(path) as { items: { orderId: number }[]; nextStartInclusive: number };
    expect(first.items).toHaveLength(1);
    const second = get(`${path}&startInclusive=${first.nextStartInclusive}`);
    expect(second).toMatchObject({ items: [{ orderId: first.nextStartInclusive }], nextStartInclusive: null });
  });

  test('fees: a tier, and rates as fractions', () => {
    expect(get(`/account/${maker.account}/fee/tier`)).toBe(0);
    expect(get(`/market/0/fees/maker/${maker.account}`)).toBe(0.0001);
    expect(get(`/market/0/fees/taker/${maker.account}`)).toBe(0.00035);
  });

  test('/user/{pubkey} lists all accounts of a key', () => {
    const { trader, exchange, get: ask } = openDesk();
    const { user, account: first } = trader(1);
    const second = exchange.openAccount(userOf(user));
    expect(ask(`/user/${userOf(user)}`)).toMatchObject({ status: 200, body: { accountIds: [first, second], sessions: { 1: {} } } });
    exchange.advanceTo(START + 3_600_000);
    expect(ask(`/user/${userOf(user)}`).body).toEqual({ accountIds: [first, second], sessions: {} });
  });

  test('/accounts/liquidations/takes tells of an account that was taken over, in raw integers', () => {
    const { trader, exchange, get: ask } = openDesk({ faucet: micros(2_500e6) });
    expect(ask('/accounts/liquidations/takes')).toEqual({ status: 200, body: [] });
    const [long, short] = [trader(1), trader(2)];
    short.place({ ...ASK, price: 600_000n, size: 5_000n });
    long.place({ ...BID, price: 600_000n, size: 5_000n });
    exchange.setIndex(0, ticks(540_000));
    exchange.advanceTo(START + 5_000);
    const { body } = ask('/accounts/liquidations/takes');
    expect(body).toEqual([
      {
        time: RFC_3339,
        actionId: anyNumber,
        takerAccountId: anyNumber,
        takerSide: 'bid',
        marketId: 0,
        settlementPrice: anyNumber,
        baseSize: 5_000,
        makerAccountId: long.account,
        bankruptcyPrice: anyNumber,
      },
    ]);
  });
});

describe('our own client believes it', () => {
  test.each([
    ['/info', shapes.info],
    ['/markets/live', shapes.marketsLive],
    ['/market/0/stats', shapes.marketStats],
    ['/market/3/stats', shapes.marketStats],
    ['/market/0/orderbook', shapes.orderbook],
    ['/trades', shapes.tradesPage],
    ['/fee/brackets/info', shapes.feeBrackets],
    ['/accounts/liquidations/takes', shapes.takeAllInfos],
    [`/account/${maker.account}`, shapes.account],
    [`/account/${maker.account}/orders`, shapes.ordersPage],
    [`/account/${maker.account}/fee/tier`, shapes.feeTier],
    [`/market/0/fees/taker/${maker.account}`, shapes.feeRate],
    [`/user/${userOf(keyOf(1))}`, shapes.user],
    ['/timestamp', shapes.timestamp],
  ])('%s', (path, shape) => {
    expect(shape.safeParse(withoutInexact(get(path))).error).toBeUndefined();
  });
});

/** JSON.parse has already rounded the one id above 2^53: the client's own parser would not have. */
const withoutInexact = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, part: unknown) => (key === 'clientOrderId' && part !== null ? clientOrderId : part)));

describe('what is not there, and what is malformed', () => {
  test.each([
    [`/user/${userOf(keyOf(9))}`, null],
    ['/account/999', null],
    ['/account/999/orders', null],
    ['/account/999/fee/tier', null],
    ['/market/0/fees/maker/999', null],
    ['/market/9/fees/maker/0', { market_id: 9 }],
    ['/market/9/orderbook', { market_id: 9 }],
    ['/market/4294967295/stats', { market_id: 4_294_967_295 }],
  ])('404 at %s', (path, body) => {
    expect(desk.get(path)).toEqual({ status: 404, body });
  });

  test.each([
    '/user/0OIl',
    `/user/${userOf(keyOf(1)).slice(1)}`,
    `/user/${'1'.repeat(200)}`,
    '/account/x',
    '/account/-1',
    '/account/1.5',
    '/account/4294967296',
    '/account/1e3/fee/tier',
    '/account/0x1/orders',
    '/market/NaN/stats',
    '/market/99999999999999999999999/orderbook',
    '/market/0/fees/maker/x',
    '/trades?marketId=',
    '/trades?marketId=-1',
    '/trades?takerSide=buy',
    '/trades?pageSize=0',
    '/trades?pageSize=1.5',
    '/trades?pageSize=-5',
    '/trades?startInclusive=18446744073709551616',
    '/trades?since=yesterday',
    '/trades?since=1700000000',
    '/trades?since=2026-02-30T00:00:00Z',
    '/trades?until=2026-01-01',
    '/trades?until=2026-01-01T00:00:00',
    '/trades?until=2026-01-01T25:00:00Z',
    '/trades?limit=5',
    '/account/0/orders?since=2026-01-01T00:00:00Z',
    '/info?x=1',
  ])('400 at %s', (path) => {
    expect(desk.get(path)).toEqual({ status: 400, body: { message: expect.any(String) as string } });
  });

  test.each(['/', '/market', '/market/0', '/market/0/fees/both/0', '/markets', '/account', '/account/0/', '/schema', '/action/last'])(
    '404 at %s',
    (path) => {
      expect(desk.get(path)).toEqual({ status: 404, body: { message: expect.any(String) as string } });
    },
  );

  test('the other method is 405', () => {
    expect(desk.get('/action').status).toBe(405);
    expect(desk.send({ method: 'POST', path: '/info' }).status).toBe(405);
    expect(desk.send({ method: 'DELETE', path: '/trades' }).status).toBe(405);
  });
});
