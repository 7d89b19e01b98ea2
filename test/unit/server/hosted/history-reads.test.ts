// Reads of the official client about the past: orders and their trades, realised profit, funding, deposits, volume, prices, hours and actions.
import { expect, test } from 'vitest';
import { lots } from '../../../../src/bot/domain/numbers.ts';
import { ASK, BID, openHostedApi, postedId, RFC_3339, START } from './open-api.ts';

const HOUR = 3_600_000;
/** After the payment at the full hour, and before the sessions end. */
const LATER = START + 0.75 * HOUR;
const NONE = { items: [], nextStartInclusive: null };
const WHEN = new Date(START).toISOString();

interface Page {
  readonly items: Record<string, unknown>[];
  readonly nextStartInclusive: number | null;
}

/** A maker who sold 0.01 BTC at 60100 and 60200 each, to one order of a taker that was filled by 0.015, and rests with nothing. */
function afterTrades() {
  const api = openHostedApi();
  const [maker, taker] = [api.trader(1), api.trader(2)];
  const [first, second] = [601_000n, 602_000n].map((price) => Number(postedId(maker.place({ ...ASK, price })))) as [number, number];
  taker.place({ ...BID, price: 602_000n, size: 150n, clientOrderId: '7' });
  const [bought] = (api.read(`/account/${taker.account}/orders`) as Page).items;
  return { ...api, maker, taker, first, second, bought: bought?.['orderId'] as number };
}

/** The two traders after a funding payment; then the taker sold a third of its position. */
function afterFunding() {
  const api = afterTrades();
  const { exchange, maker, taker, second } = api;
  maker.cancel(String(second));
  maker.place({ ...BID, price: 605_000n, size: 500n });
  maker.place({ ...ASK, price: 607_000n });
  exchange.advanceTo(LATER);
  const [payment] = exchange.records.fundingPayments(taker.account);
  taker.place({ ...ASK, price: 605_000n, size: 50n });
  return { ...api, paid: payment?.payment ?? 0, rate: payment?.rate };
}

test('an order is shown by its id, resting or finished, as in the list of its account', () => {
  const { read, get, taker, maker, second, bought } = afterTrades();
  const [listed] = (read(`/account/${taker.account}/orders`) as Page).items;
  expect(read(`/order/${bought}`)).toEqual(listed);
  expect(listed).toMatchObject({ filledSize: 0.015, finalizationReason: 'Filled', traderId: taker.account });
  expect(read(`/order/${second}`)).toMatchObject({ orderId: second, filledSize: 0.005, finalizationReason: null, traderId: maker.account });
  expect(get('/order/4000000')).toEqual({ status: 404, body: null });
  expect(get('/order/x').status).toBe(400);
});

test("an order's trades are those in which it was the maker's or the taker's", () => {
  const { read, first, second, bought } = afterTrades();
  const all = (read('/trades') as Page).items;
  expect(all.map(({ orderId }) => orderId)).toEqual([second, first]);
  expect(read(`/order/${bought}/trades`)).toEqual({ items: all, nextStartInclusive: null });
  expect(read(`/order/${first}/trades`)).toEqual({ items: [all[1]], nextStartInclusive: null });
  const page = read(`/order/${bought}/trades?pageSize=1`) as Page;
  expect(page.items).toEqual([all[0]]);
  expect(read(`/order/${bought}/trades?startInclusive=${page.nextStartInclusive}`)).toEqual({ items: [all[1]], nextStartInclusive: null });
  expect(read('/order/4000000/trades')).toEqual(NONE);
});

test('realised profit has a row for each action, with the part of funding; fees are in none', () => {
  const { read, get, taker, exchange, paid } = afterFunding();
  const { items, nextStartInclusive } = read(`/account/${taker.account}/pnl`) as Page;
  // Bought 0.01 at 60100 and 0.005 at 60200; a third of it was sold at 60500.
  const price = 0.005 * 60_500 - (0.01 * 60_100 + 0.005 * 60_200) / 3;
  expect(nextStartInclusive).toBeNull();
  expect(paid).toBeGreaterThan(0);
  expect(items).toEqual([
    {
      time: new Date(LATER).toISOString(),
      actionId: Number(exchange.lastActionId()),
      accountId: taker.account,
      pricePnlDelta: expect.closeTo(price, 6),
      fundingPnlDelta: -paid / 1e6,
      pnl: expect.closeTo(price - paid / 1e6, 6),
    },
  ]);
  expect(read(`/account/${taker.account}/pnl?until=${WHEN}`)).toEqual(NONE);
  expect(get('/account/4000/pnl')).toEqual({ status: 404, body: null });
});

test('realised profit adds up to the change of the balance, without fees, over pages', () => {
  const { read, exchange, maker, taker } = afterFunding();
  for (const size of [10n, 20n, 30n]) taker.place({ ...ASK, price: 605_000n, size });
  for (const account of [maker.account, taker.account]) {
    const rows: Record<string, unknown>[] = [];
    for (let cursor = ''; ; ) {
      const page = read(`/account/${account}/pnl?pageSize=1${cursor}`) as Page;
      rows.push(...page.items);
      if (page.nextStartInclusive === null) break;
      cursor = `&startInclusive=${page.nextStartInclusive}`;
    }
    expect(rows).toHaveLength(4);
    const fees = exchange
      .trades({ account })
      .items.reduce((sum, { makerId, makerFee, takerFee }) => sum + (makerId === account ? makerFee : takerFee), 0);
    const pnl = rows.reduce((sum, row) => sum + (row['pnl'] as number), 0);
    expect(exchange.account(account)?.balances[0]?.amount).toBeCloseTo(100_000 + pnl - fees / 1e6, 6);
  }
});

test('hourly funding is the funding history as a list, with a number of rows for each market', () => {
  const { read, get, exchange, taker } = afterFunding();
  const path = `/account/${taker.account}/pnl/funding/history/PT1H`;
  exchange.advanceTo(START + 3 * HOUR);
  const { items } = read(`/account/${taker.account}/history/funding`) as Page;
  expect(items).toHaveLength(3);
  expect(read(path)).toEqual(items);
  expect(read(`${path}?count=2&marketId=0`)).toEqual(items.slice(0, 2));
  expect(read(`${path}?since=${items[1]?.['time'] as string}`)).toEqual(items.slice(0, 2));
  expect(read(`${path}?marketId=1`)).toEqual([]);
  expect(get('/account/4000/pnl/funding/history/PT1H')).toEqual({ status: 404, body: null });
});

test('deposits and withdrawals, with the balance after each; the money of a new user is a deposit', () => {
  const { read, get, exchange, trader } = openHostedApi();
  const { account } = trader(1);
  const SOL = 3;
  const registered = Number(exchange.lastActionId()) - 1; // the session came after it
  exchange.wallets.withdraw({ account, token: 0, amount: 40_000e6 });
  exchange.wallets.endow({ account, token: SOL, amount: 5_000 });
  exchange.advanceTo(START + 1_000);
  exchange.wallets.deposit({ account, token: SOL, amount: 2_000 });
  const own = { accountId: account, actionId: expect.any(Number) };
  const later = new Date(START + 1_000).toISOString();
  const deposit = { ...own, time: later, tokenId: SOL, amount: 2, balance: 2, eventIndex: 2 };
  const money = { ...own, time: WHEN, actionId: registered, tokenId: 0, amount: 100_000, balance: 100_000, eventIndex: 0 };
  const path = `/account/${account}/history`;
  expect(read(`${path}/deposit`)).toEqual({ items: [deposit, money], nextStartInclusive: null });
  const { nextStartInclusive } = read(`${path}/deposit?pageSize=1`) as Page;
  expect(nextStartInclusive).toBe(registered);
  expect(read(`${path}/deposit?startInclusive=${nextStartInclusive}`)).toEqual({ items: [money], nextStartInclusive: null });
  expect(read(`${path}/deposit?until=${later}`)).toEqual({ items: [money], nextStartInclusive: null });
  const withdrawal = { ...own, time: WHEN, tokenId: 0, amount: 40_000, balance: 60_000, fee: 0 };
  expect(read(`${path}/withdrawal`)).toEqual({ items: [withdrawal], nextStartInclusive: null });
  expect(read(`/account/${account}/fees/withdrawal`)).toBe(0);
  for (const kind of ['history/deposit', 'history/withdrawal', 'fees/withdrawal'])
    expect(get(`/account/4000/${kind}`)).toEqual({ status: 404, body: null });
});

const volumeRows = (volumeBase: number, volumeQuote: number) => [{ marketId: 0, volumeBase, volumeQuote: expect.closeTo(volumeQuote, 6) }];

test('volume is by market, as maker and as taker, within a span of time', () => {
  const { read, get, taker, maker } = afterFunding();
  const path = `/account/volume?accountId=${taker.account}`;
  const [before, after] = [0.01 * 60_100 + 0.005 * 60_200, 0.005 * 60_500];
  expect(read(path)).toEqual(volumeRows(0.02, before + after));
  expect(read(`/account/volume?accountId=${maker.account}&marketId=0`)).toEqual(volumeRows(0.02, before + after));
  const middle = new Date(START + 1_000).toISOString();
  expect(read(`${path}&until=${middle}`)).toEqual(volumeRows(0.015, before));
  expect(read(`${path}&since=${middle}`)).toEqual(volumeRows(0.005, after));
  expect(read(`${path}&marketId=1`)).toEqual([]);
  expect(get('/account/volume?accountId=4000')).toEqual({ status: 404, body: null });
  expect(get('/account/volume')).toEqual({ status: 400, body: { message: 'accountId is missing' } });
});

test('fee tiers list all accounts by their ids', () => {
  const { read, trader } = openHostedApi();
  const { account } = trader(1);
  const count = read('/accounts/count') as number;
  const all = read('/accounts/fee-tiers') as Page;
  expect(all).toEqual({ items: Array.from({ length: count }, (_, accountId) => ({ accountId, feeTier: 0 })), nextStartInclusive: null });
  expect(read(`/accounts/fee-tiers?startInclusive=${account}`)).toEqual({
    items: [{ accountId: account, feeTier: 0 }],
    nextStartInclusive: null,
  });
  expect(read('/accounts/fee-tiers?pageSize=2')).toEqual({ items: all.items.slice(0, 2), nextStartInclusive: 2 });
  expect(read('/accounts/fee-tiers?startInclusive=4000')).toEqual(NONE);
});

test('the previous price is that of the last trade at or before a time', () => {
  const { read, get } = afterFunding();
  const at = (time: number): unknown => read(`/market/0/price/prev?atOrBefore=${new Date(time).toISOString()}`);
  expect(at(START - 1)).toEqual({ marketId: 0, price: null });
  expect(at(START)).toEqual({ marketId: 0, price: 60_200 });
  expect(at(LATER - 1)).toEqual({ marketId: 0, price: 60_200 });
  expect(at(LATER)).toEqual({ marketId: 0, price: 60_500 });
  expect(get('/market/0/price/prev')).toEqual({ status: 400, body: { message: 'atOrBefore is missing' } });
  expect(get(`/market/9/price/prev?atOrBefore=${WHEN}`)).toEqual({ status: 404, body: { market_id: 9 } });
});

test("a market's hours have the rate that was paid and the prices then", () => {
  const { read, get, exchange, rate } = afterFunding();
  exchange.advanceTo(START + 30 * HOUR);
  const { items, nextStartInclusive } = read('/market/0/history/PT1H') as Page;
  expect(items).toHaveLength(24);
  const hours = exchange.records.fundingHours(0);
  expect(items.map(({ fundingIndex }) => fundingIndex)).toEqual(hours.slice(0, 24).map(({ index }) => index));
  const all = [...items, ...(read(`/market/0/history/PT1H?startInclusive=${nextStartInclusive}`) as Page).items];
  expect(all).toHaveLength(30);
  expect(all.at(-1)).toEqual({
    marketId: 0,
    time: '2026-01-15T13:00:00.000Z',
    actionId: expect.any(Number),
    fundingIndex: hours.at(-1)?.index,
    fundingRate: rate,
    indexPrice: 60_000,
    markPrice: expect.closeTo(60_600, -1),
  });
  expect(all.map(({ time }) => Date.parse(time as string) % HOUR)).toEqual(all.map(() => 0));
  expect((read('/market/0/history/PT1H?pageSize=3') as Page).items).toEqual(items.slice(0, 3));
  expect(read('/market/3/history/PT1H')).toEqual(NONE);
  expect(get('/market/9/history/PT1H')).toEqual({ status: 404, body: { market_id: 9 } });
});

test("a token's price is the index of its spot market, otherwise of its perpetual", () => {
  const { read, get, exchange } = openHostedApi();
  exchange.setIndex(3, exchange.markets[3]!.ticksNear(151));
  const { tokens } = read('/info') as { tokens: { tokenId: number; symbol: string }[] };
  for (const { tokenId, ...token } of tokens) {
    expect(read(`/tokens/${tokenId}/stats`)).toEqual({
      ...token,
      oracleSymbol: token.symbol,
      indexPrice: tokenId === 0 ? null : expect.any(Object),
    });
  }
  expect(read('/tokens/3/stats')).toMatchObject({ symbol: 'SOL', indexPrice: { median: 151 } });
  expect(read('/tokens/1/stats')).toMatchObject({ symbol: 'BTC', indexPrice: { median: 60_000 } });
  expect(get('/tokens/99/stats')).toEqual({ status: 404, body: null });
});

test('recent actions are the signed ones that were executed, as they came', () => {
  const { read, get, exchange, encode, receiptFor, trader, codec } = openHostedApi();
  const before = Number(exchange.lastActionId());
  const { place, cancel } = trader(1);
  const resting = place(BID);
  place({ ...BID, marketId: 400 }); // refused
  exchange.countAction(); // of the exchange itself
  cancel(postedId(resting));
  receiptFor(encode({ kind: 'cancelOrder', sessionId: '1', orderId: '1' })); // not signed
  const last = Number(exchange.lastActionId());
  const rows = read(`/action?from=${before}&to=${last}&clientVersion=1`) as { actionId: number; physicalTime: string; payload: string }[];
  expect(rows.map(({ payload }) => codec.decode(Buffer.from(payload, 'base64')).kind)).toEqual([
    'createSession',
    'placeOrder',
    'cancelOrder',
  ]);
  expect(rows.map(({ physicalTime }) => physicalTime)).toEqual([WHEN, WHEN, WHEN]);
  expect(rows.at(-1)).toEqual({ actionId: last, physicalTime: RFC_3339, payload: expect.any(String) });
  expect(read(`/action?from=${last - 1}&to=${last}`)).toEqual(rows.slice(-1));
  expect(read(`/action?from=${last}&to=${last}`)).toEqual([]);
  expect(get('/action?from=1&to=1002')).toEqual({ status: 400, body: { requested: 1_001, maximal: 1_000 } });
  expect(get('/action?from=1')).toEqual({ status: 400, body: { message: 'to is missing' } });
});

test('an account that trades with itself has the volume of both sides', () => {
  const { read, exchange, trader } = openHostedApi();
  const { account } = trader(1);
  exchange.place({ account, market: 0, side: 'ask', fillMode: 'LIMIT', price: exchange.markets[0]!.ticksNear(60_000)!, size: lots(10) });
  exchange.place({ account, market: 0, side: 'bid', fillMode: 'LIMIT', price: exchange.markets[0]!.ticksNear(60_000)!, size: lots(10) });
  expect(read(`/account/volume?accountId=${account}`)).toEqual([{ marketId: 0, volumeBase: 0.002, volumeQuote: 120 }]);
});
