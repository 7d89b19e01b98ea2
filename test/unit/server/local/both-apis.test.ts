// One account in both APIs: what is done in one is visible in the other.
import { describe, expect, test } from 'vitest';
import { BID, openHostedApi, postedId } from '../hosted/open-api.ts';
import { clientOf, type ShownOrder } from './open-api.ts';

interface OnHosted {
  readonly balances: { token: string; amount: number }[];
  readonly positions: { perp: { baseSize: number; isLong: boolean; price: number; tradingPnl: number } | null }[];
  readonly orders: { orderId: number; price: number; size: number; side: string; clientOrderId: number | null }[];
  readonly margins: { omf: number; mf: number; imf: number; mmf: number; pon: number; pn: number };
}

function openBoth() {
  const hosted = openHostedApi();
  const trader = hosted.trader(1);
  const other = hosted.trader(2);
  const local = clientOf(hosted.exchange, trader.account);
  const order = { market: 'BTC-PERP', side: 'buy', price: 59_900, type: 'limit', size: 0.01 };
  return { hosted, trader, other, local, order, accountB: () => hosted.read(`/account/${trader.account}`) as OnHosted };
}

describe('one account', () => {
  test('placed by the local API, seen and cancelled by the hosted one', () => {
    const { local, order, accountB, trader } = openBoth();
    local.result('POST', '/orders', { ...order, clientId: '42' });
    const [seen] = accountB().orders;
    expect(seen).toMatchObject({ price: 59_900, size: 0.01, side: 'bid', clientOrderId: 42 });
    expect(local.read('/orders')).toMatchObject([{ id: String(seen!.orderId), clientId: '42' }]);
    expect(trader.cancel(String(seen!.orderId)).kind).toBe('cancelOrder');
    expect(local.read('/orders')).toEqual([]);
  });

  test('placed by the hosted API, seen, modified and cancelled by the local one', () => {
    const { local, accountB, trader, hosted } = openBoth();
    const id = postedId(trader.place({ ...BID, clientOrderId: '43' }));
    expect(local.read('/orders')).toMatchObject([{ id, market: 'BTC-PERP', price: 59_900, size: 0.01, clientId: '43' }]);
    const changed = local.result('POST', `/orders/${id}/modify`, { price: 59_800, size: 0.02 }) as ShownOrder;
    expect(accountB().orders).toMatchObject([{ orderId: Number(changed.id), price: 59_800, size: 0.02, clientOrderId: 43 }]);
    local.result('DELETE', '/orders/by_client_id/43');
    hosted.exchange.advanceTo(hosted.exchange.now() + 100);
    expect(accountB().orders).toEqual([]);
  });

  test('the fills of the local API are the trades of the hosted one; the user name is the account id', () => {
    const { local, trader, other, hosted } = openBoth();
    trader.place(BID);
    other.place({ ...BID, side: 'ask' });
    const { username } = local.read('/account') as { username: string };
    const { items } = hosted.read(`/trades?makerId=${username}`) as { items: { time: string; price: number; baseSize: number }[] };
    const { time, price, baseSize } = items[0]!;
    expect(local.ask('GET', '/orders/history').body['result']).toMatchObject([{ liquidity: 'maker', time, price, size: baseSize }]);
  });

  test('a reduce-only order is marked in the hosted API as well', () => {
    const { local, order, other, hosted, trader } = openBoth();
    other.place({ ...BID, side: 'ask', price: 600_000n });
    local.result('POST', '/orders', { ...order, price: 60_000 });
    local.result('POST', '/orders', { ...order, side: 'sell', price: 61_000, reduceOnly: true });
    const { items } = hosted.read(`/account/${trader.account}/orders`) as { items: { isReduceOnly: boolean }[] };
    expect(items.map(({ isReduceOnly }) => isReduceOnly)).toEqual([true, false]);
  });
});
