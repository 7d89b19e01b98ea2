// Reads of accounts that the real exchange serves but its API document does not describe, and those that are not served here. Their
// history: history-reads.test.ts.
import { expect, test } from 'vitest';
import { ASK, BID, openHostedApi, START, userOf } from './open-api.ts';

const HOUR = 3_600_000;

/** A trader with a long position, after two hours of a book that is above the index. */
function afterTwoHours() {
  const api = openHostedApi();
  const [maker, buyer] = [api.trader(1), api.trader(2)];
  maker.place({ ...ASK, price: 606_000n });
  buyer.place({ ...BID, price: 606_000n });
  maker.place({ ...BID, price: 605_000n });
  maker.place({ ...ASK, price: 607_000n });
  api.exchange.advanceTo(START + 2 * HOUR);
  return { ...api, buyer };
}

test('the key of an account, and how many accounts there are', () => {
  const { read, get, trader } = openHostedApi();
  const before = read('/accounts/count') as number;
  const { account, user } = trader(1);
  expect(read(`/account/${account}/pubkey`)).toBe(userOf(user));
  expect(read('/accounts/count')).toBe(before + 1);
  expect(get('/account/0/pubkey')).toEqual({ status: 404, body: null });
});

test('funding is listed newest first, by pages, and filtered by market and time', () => {
  const { read, buyer, exchange } = afterTwoHours();
  const path = `/account/${buyer.account}/history/funding`;
  const all = read(path) as { items: { time: string; fundingPnl: number }[]; nextStartInclusive: null };
  expect(all.nextStartInclusive).toBeNull();
  const paid = exchange.records.fundingPayments(buyer.account);
  expect(all.items.map(({ time }) => Date.parse(time))).toEqual(paid.map(({ time }) => time));
  expect(paid[0]?.payment).toBeGreaterThan(0);
  expect(all.items[0]).toEqual({
    time: expect.any(String),
    fundingRate: paid[0]?.rate,
    fundingPnl: -(paid[0]?.payment ?? 0) / 1e6,
    market: { market_id: 0, market_symbol: 'BTCUSDC' },
  });
  const first = read(`${path}?pageSize=1`) as { items: unknown[]; nextStartInclusive: number };
  const second = read(`${path}?pageSize=1&startInclusive=${first.nextStartInclusive}`) as { items: unknown[] };
  expect([...first.items, ...second.items]).toEqual(all.items.slice(0, 2));
  expect(read(`${path}?marketId=1`)).toEqual({ items: [], nextStartInclusive: null });
  expect(read(`${path}?until=${all.items[0]?.time}`)).toEqual({ items: all.items.slice(1), nextStartInclusive: null });
  expect(read(`${path}?since=${all.items[0]?.time}`)).toEqual({ items: all.items.slice(0, 1), nextStartInclusive: null });
});

test('there are no triggers', () => {
  const { read, get, trader } = openHostedApi();
  const { account } = trader(1);
  const none = { items: [], nextStartInclusive: null };
  expect(read(`/account/${account}/triggers`)).toEqual([]);
  expect(read(`/account/${account}/triggers/history?pageSize=5`)).toEqual(none);
  expect(read('/triggers/active')).toEqual(none);
  expect(get('/account/999/triggers')).toEqual({ status: 404, body: null });
});

test('the newest action', () => {
  const { read, trader, exchange } = openHostedApi();
  trader(1);
  expect(read('/action/last-executed-id')).toBe(Number(exchange.lastActionId()));
});

const NOT_SERVED = [
  '/openapi.json',
  '/event/last-acked-nonce',
  '/account/1/history/liquidation',
  '/admin',
  '/state/download',
  '/state/download/1',
  '/state/info',
  '/state/info/hist',
  '/tv',
];

test.each(NOT_SERVED)('%s is not implemented, whatever it is asked with, and the answer says why', (path) => {
  const { get } = openHostedApi();
  const body = { message: expect.stringMatching(/does not serve .+: (it|no) .+/) };
  expect(get(`${path}?since=2026-01-01T00:00:00Z&pageSize=5&more=1`)).toEqual({ status: 501, body });
});

/** The JSON reads of the real exchange, with ids that the exchange of these tests has. */
const READS = `
/openapi.json /info /timestamp /action?from=1&to=2 /action/last-executed-id /event/last-acked-nonce
/market/0/fees/maker/1 /market/0/fees/taker/1 /market/0/orderbook /market/0/stats /market/0/price/prev?atOrBefore=2026-01-01T00:00:00Z
/market/0/history/PT1H /tokens/0/stats /user/USER /account/1 /account/1/orders /account/1/fee/tier /account/1/fees/withdrawal /account/1/pubkey
/account/1/pnl /account/1/pnl/funding/history/PT1H /account/1/history/funding /account/1/history/withdrawal /account/1/history/deposit
/account/1/history/liquidation /account/1/triggers /account/1/triggers/history /triggers/active /accounts/count /accounts/fee-tiers
/account/volume?accountId=1 /order/1 /order/1/trades /trades /fee/brackets/info /admin /state/download /state/download/1 /state/info
/state/info/hist /tv /markets/live /accounts/liquidations/takes
`;

test.each(READS.trim().split(/\s+/))('%s is answered, or is said not to be implemented', (path) => {
  const { get, trader } = openHostedApi();
  const { account, user, place } = trader(1);
  place(BID); // order 1
  const { status } = get(path.replace('USER', userOf(user)).replace('/account/1', `/account/${account}`));
  expect(status).toBe(NOT_SERVED.includes(path) ? 501 : 200);
});
