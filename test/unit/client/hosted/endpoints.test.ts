// Each endpoint: its path, and the parsed values of the API document's own samples.
import { expect, test } from 'vitest';
import { clientOn } from './canned.ts';

const trade = {
  time: '2025-11-20T10:00:00.5Z',
  actionId: 9,
  tradeId: 11,
  takerId: 1,
  takerSide: 'bid',
  makerId: 2,
  marketId: 0,
  orderId: 7,
  price: 90_000.5,
  baseSize: 0.25,
};

test('the time is the number that the server sends, in its own unit', async () => {
  const { client, asked } = clientOn('1763632800');
  expect(await client.timestamp()).toBe(1_763_632_800);
  expect(asked).toEqual([{ method: 'GET', path: '/timestamp', timeoutMs: 3_000, maxBytes: 2 ** 22 }]);
});

test('info gives markets and tokens', async () => {
  const market = {
    marketId: 0,
    symbol: 'BTCUSDC',
    baseTokenId: 1,
    quoteTokenId: 0,
    priceDecimals: 1,
    sizeDecimals: 5,
    imf: 0.1,
    cmf: 0.07,
    mmf: 0.05,
  };
  const token = { tokenId: 0, symbol: 'USDC', decimals: 6, mintAddr: 'mint', weightBps: 10_000 };
  const { client, asked } = clientOn(JSON.stringify({ markets: [{ ...market, later: 'addition' }], tokens: [token] }));
  expect(await client.info()).toEqual({ markets: [market], tokens: [token] });
  expect(asked[0]?.path).toBe('/info');
});

test('live markets may contain null, and may have a perpetual’s fields one level down', async () => {
  const fresh = {
    marketId: 0,
    indexPrice: null,
    indexPriceConf: null,
    frozen: true,
    markPrice: null,
    projectedFundingRate: null,
    openInterest: 0,
  };
  const nested = { marketId: 1, indexPrice: 3_000, frozen: false, perpetuals: { markPrice: 3_001, openInterest: 12.5 } };
  const { client, asked } = clientOn(JSON.stringify({ markets: [{ ...fresh, nextFundingTime: '2025-11-20T11:00:00Z' }, nested] }));
  const { markets } = await client.marketsLive();
  expect(asked[0]?.path).toBe('/markets/live');
  expect(markets[0]).toMatchObject({ frozen: true, indexPrice: undefined, markPrice: undefined });
  expect(markets[1]).toMatchObject({ indexPrice: 3_000, markPrice: 3_001, openInterest: 12.5, nextFundingTime: undefined });
});

test('a book’s updateId is exact above 2^53', async () => {
  const { client, asked } = clientOn(
    '{"updateId":9007199254740993,"bids":[[100.5,1]],"asks":[],"bidsSummary":{"sum":1,"count":1},"asksSummary":{"sum":0,"count":0}}',
  );
  expect(await client.orderbook(3)).toMatchObject({ updateId: '9007199254740993', bids: [[100.5, 1]], asks: [] });
  expect(asked[0]?.path).toBe('/market/3/orderbook');
});

test('statistics of a spot market have no perpStats', async () => {
  const { client, asked } = clientOn(
    '{"indexPrice":null,"indexPriceConf":null,"frozen":false,"volumeBase24h":0,"volumeQuote24h":0,"high24h":null,"low24h":null,"close24h":null,"prevClose24h":null,"perpStats":null}',
  );
  expect(await client.stats(4)).toMatchObject({ frozen: false, volumeBase24h: 0, high24h: undefined, perpStats: undefined });
  expect(asked[0]?.path).toBe('/market/4/stats');
});

test('an account’s ids may be numbers, texts, or beyond a double', async () => {
  const margins = { omf: 1, mf: 1, imf: 0, cmf: 0, mmf: 0, pon: 0, pn: 0, bankruptcy: false };
  const order = { marketId: 0, side: 'ask', price: 101, size: 0.5, originalOrderSize: 1 };
  const body = JSON.stringify({ updateId: 5, balances: [{ tokenId: 0, token: 'USDC', amount: 1_000 }], positions: [], margins }).replace(
    /\}$/,
    `,"orders":[${JSON.stringify({ ...order, orderId: '18446744073709551615', clientOrderId: null })},
      ${JSON.stringify(order).replace('{', '{"orderId":18446744073709551614,"clientOrderId":42,')}]}`,
  );
  const { client, asked } = clientOn(body);
  const account = await client.account(12);
  expect(asked[0]?.path).toBe('/account/12');
  expect(account.updateId).toBe('5');
  expect(account.orders.map(({ orderId, clientOrderId }) => [orderId, clientOrderId])).toEqual([
    ['18446744073709551615', undefined],
    ['18446744073709551614', '42'],
  ]);
});

test('a user has accounts and sessions', async () => {
  const { client, asked } = clientOn(
    '{"accountIds":[0,7],"sessions":{"9007199254740993":{"pubkey":"abc","expiry":"2025-11-20T10:00:00Z"}}}',
  );
  expect(await client.user('Key/1')).toEqual({
    accountIds: [0, 7],
    sessions: [{ sessionId: '9007199254740993', pubkey: 'abc', expiry: '2025-11-20T10:00:00Z' }],
  });
  expect(asked[0]?.path).toBe('/user/Key%2F1');
});

test('fees: brackets in parts per million, the tier, and the rate by role', async () => {
  const { client, asked } = clientOn(
    '[[0,{"maker_fee_ppm":100,"taker_fee_ppm":350}],[1,{"maker_fee_bps":1,"taker_fee_bps":3}]]',
    '3',
    '0.00035',
    '0',
  );
  expect(await client.feeBrackets()).toEqual([
    { tier: 0, makerFeePpm: 100, takerFeePpm: 350 },
    { tier: 1, makerFeePpm: 100, takerFeePpm: 300 },
  ]);
  expect(await client.feeTier(12)).toBe(3);
  expect(await client.feeRate({ market: 2, role: 'taker', account: 12 })).toBe(0.000_35);
  expect(await client.feeRate({ market: 2, role: 'maker', account: 12 })).toBe(0);
  expect(asked.map(({ path }) => path)).toEqual([
    '/fee/brackets/info',
    '/account/12/fee/tier',
    '/market/2/fees/taker/12',
    '/market/2/fees/maker/12',
  ]);
});

test('take-all events keep their raw mantissas exact', async () => {
  const event = {
    time: trade.time,
    actionId: 1,
    takerAccountId: 0,
    takerSide: 'ask',
    marketId: 0,
    settlementPrice: 900_005,
    baseSize: 1,
    makerAccountId: 3,
  };
  const { client, asked } = clientOn(`[${JSON.stringify(event).replace(/\}$/, ',"bankruptcyPrice":9007199254740993}')}]`);
  expect(await client.takes()).toMatchObject([{ settlementPrice: '900005', bankruptcyPrice: '9007199254740993', takerSide: 'ask' }]);
  expect(asked[0]?.path).toBe('/accounts/liquidations/takes');
});

test('the schema is text, of its own limit', async () => {
  const { client, asked } = clientOn({ body: 'syntax = "proto3";', contentType: 'text/plain' });
  expect(await client.schemaText()).toBe('syntax = "proto3";');
  expect(asked[0]).toMatchObject({ path: '/schema.proto', maxBytes: 2 ** 20 });
});

test('a trade may lack its fees', async () => {
  const { client } = clientOn(JSON.stringify({ items: [{ ...trade, makerFee: null }], nextStartInclusive: null }));
  for await (const { items } of client.trades({ until: 0 })) {
    expect(items[0]).toEqual({ ...trade, actionId: '9', tradeId: '11', orderId: '7', makerFee: undefined, takerFee: undefined });
  }
  expect.assertions(1);
});

test('an answer with the same bytes is the same value; one that differs in a byte, or comes from another endpoint, is parsed again', async () => {
  const empty = JSON.stringify({ items: [], nextStartInclusive: null });
  const one = JSON.stringify({ items: [trade], nextStartInclusive: null });
  const { client } = clientOn(empty, one, empty, one, one.replace('0.25', '0.35'), '7', '7');
  const pages: unknown[] = [];
  for (let round = 0; round < 5; round++) for await (const page of client.trades({ until: 0 })) pages.push(page);
  expect(pages[2]).toBe(pages[0]);
  expect(pages[3]).toBe(pages[1]);
  expect(pages[4]).toMatchObject({ items: [{ tradeId: '11', baseSize: 0.35 }] });
  expect([await client.timestamp(), await client.feeTier(1)]).toEqual([7, 7]);
});

test('an invalid answer is invalid the second time too', async () => {
  const { client } = clientOn('"soon"');
  for (let round = 0; round < 2; round++) await expect(client.timestamp()).rejects.toMatchObject({ kind: 'shape' });
});
