// Orders over the local API: placed, shown, changed, cancelled; positions closed.
import { describe, expect, test } from 'vitest';
import { BUY, ISO_8601, openLocalApi, type ShownOrder, TX_ID } from './open-api.ts';

const shown = (order: Partial<ShownOrder> & Record<string, unknown>) => ({
  id: expect.stringMatching(/^\d+$/) as string,
  market: 'BTC-PERP',
  future: 'BTC-PERP',
  type: 'limit',
  side: 'buy',
  price: 59_000,
  size: 0.1,
  status: 'open',
  createdAt: ISO_8601,
  remainingSize: 0.1,
  reduceOnly: false,
  ioc: false,
  postOnly: false,
  clientId: null,
  ...order,
});

function long(size: number) {
  const context = openLocalApi();
  context.theirs('ask', size, 60_000);
  context.order({ price: 60_000, size });
  return context;
}

describe('placing', () => {
  test('an order that is filled at once does not rest', () => {
    const { order, open, theirs, held } = openLocalApi();
    theirs('ask', 0.04, 58_000);
    order({});
    expect(held()).toBe(0.04);
    expect(open()).toEqual([shown({ remainingSize: 0.06 })]);
  });

  test('a market order takes at any price within the band and never rests', () => {
    const { order, open, theirs, held } = openLocalApi();
    theirs('ask', 0.04, 61_000);
    theirs('ask', 0.04, 62_000);
    order({ type: 'market', price: null, size: 0.1 });
    expect([held(), open()]).toEqual([0.08, []]);
  });

  test('ioc takes at its price and never rests', () => {
    const { order, open, theirs, held, refusal } = openLocalApi();
    theirs('ask', 0.04, 59_000);
    theirs('ask', 0.04, 59_001);
    order({ ioc: true });
    expect([held(), open()]).toEqual([0.04, []]);
    expect(refusal('POST', '/orders', { ...BUY, ioc: true })[1]).toContain('IMMEDIATE_ORDER_GOT_NO_FILLS');
  });

  test('postOnly rests or is refused', () => {
    const { order, open, theirs, refusal } = openLocalApi();
    theirs('ask', 0.04, 59_000);
    expect(refusal('POST', '/orders', { ...BUY, postOnly: true })[1]).toContain('POST_ONLY_MUST_NOT_FILL');
    order({ postOnly: true, price: 58_999.9 });
    expect(open()).toEqual([shown({ price: 58_999.9, postOnly: true })]);
  });

  test.each([true, 'true'])('flags may be %j', (yes) => {
    const { order, open } = openLocalApi();
    order({ postOnly: yes, ioc: 'false', reduceOnly: false });
    expect(open()).toEqual([shown({ postOnly: true })]);
  });

  test('a spot order buys what is owned', () => {
    const { order, theirs, read, ask, exchange } = openLocalApi();
    const seller = exchange.register('seller', 1 as never);
    exchange.wallets.endow({ account: seller, token: 3, amount: 5_000 });
    exchange.wallets.deposit({ account: seller, token: 3, amount: 5_000 });
    exchange.place({ account: seller, market: 3, side: 'ask', fillMode: 'LIMIT', price: 15_000 as never, size: 2_000 as never });
    order({ market: 'SOL/USDC', price: 150, size: 2 });
    expect(read('/wallet/balances')).toMatchObject([{ coin: 'USDC' }, {}, {}, { coin: 'SOL', total: 2, free: 2, usdValue: 300 }]);
    theirs('bid', 1, 149, 'SOLUSDC-SPOT');
    order({ market: 'SOL/USDC', side: 'sell', type: 'market', price: null, size: 1 });
    expect(ask('GET', '/trades/history?market=SOL%2FUSDC').body['result']).toMatchObject([
      { market: 'SOL/USDC', side: 'sell', price: 149 },
      { market: 'SOL/USDC', side: 'buy', price: 150 },
    ]);
  });
});

describe('reduceOnly', () => {
  test('is reduced to the position', () => {
    const { order, open } = long(0.3);
    order({ side: 'sell', price: 61_000, size: 1, reduceOnly: true });
    expect(open()).toEqual([shown({ side: 'sell', price: 61_000, size: 0.3, remainingSize: 0.3, reduceOnly: true })]);
  });

  test('counts resting orders of its side, and is reduced for later ones', () => {
    const { order, open } = long(0.3);
    order({ side: 'sell', price: 62_000, size: 0.1 });
    order({ side: 'sell', price: 61_000, size: 0.3, reduceOnly: true });
    order({ side: 'sell', price: 63_000, size: 0.05 });
    expect(open().map(({ price, remainingSize }) => [price, remainingSize])).toEqual([
      [63_000, 0.05],
      [61_000, 0.15],
      [62_000, 0.1],
    ]);
  });

  test('shrinks with the position, and ends with it', () => {
    const { order, open, theirs, result, held } = long(0.3);
    order({ side: 'sell', price: 61_000, size: 0.3, reduceOnly: true });
    theirs('bid', 0.3, 59_000);
    order({ side: 'sell', type: 'market', price: null, size: 0.1, reduceOnly: true });
    expect(open()).toEqual([shown({ side: 'sell', price: 61_000, size: 0.2, remainingSize: 0.2, reduceOnly: true })]);
    result('DELETE', '/positions/BTC-PERP');
    expect([held(), open()]).toEqual([0, []]);
  });

  test('is refused if there is nothing to reduce', () => {
    const { refusal } = long(0.3);
    expect(refusal('POST', '/orders', { ...BUY, reduceOnly: true })).toEqual([404, expect.stringContaining('POSITION_NOT_FOUND')]);
    expect(refusal('POST', '/orders', { ...BUY, market: 'ETH-PERP', side: 'sell', price: 3_100, reduceOnly: 'true' })[0]).toBe(404);
    expect(refusal('POST', '/orders', { ...BUY, market: 'SOL/USDC', price: 150, reduceOnly: true })[0]).toBe(400);
  });
});

describe('client ids', () => {
  test('any text comes back as it was; the hosted API shows a number', () => {
    const { order, open, exchange, account } = openLocalApi();
    const texts = ['grid/bid #3', '007', '-1', '18446744073709551616', 'ü'];
    for (const clientId of texts) order({ clientId });
    expect(open().map(({ clientId }) => clientId)).toEqual(texts.toReversed());
    const numbers = exchange.account(account)!.orders.map(({ clientOrderId }) => clientOrderId!);
    expect(new Set(numbers).size).toBe(texts.length);
    for (const number of numbers) expect(BigInt(number)).toBeLessThan(2n ** 64n);
  });

  test('null is none', () => {
    const { order, open } = openLocalApi();
    order({ clientId: null });
    expect(open()).toEqual([shown({})]);
  });
});

describe('open orders', () => {
  test('are listed newest first, of all markets or of one', () => {
    const { order, open } = openLocalApi();
    order({});
    order({ market: 'ETH-PERP', price: 2_900, size: 1 });
    order({ market: 'SOL/USDC', price: 140, size: 1 });
    expect(open()).toMatchObject([{ market: 'SOL/USDC' }, { market: 'ETH-PERP' }, { market: 'BTC-PERP' }]);
    expect(open('?market=ETH-PERP')).toMatchObject([{ market: 'ETH-PERP', price: 2_900, size: 1 }]);
    expect(open('?market=SOL%2FUSDC')).toMatchObject([{ market: 'SOL/USDC' }]);
  });

  test('one order is served at both paths, also after its end', () => {
    const { order, open, read, theirs, refusal } = openLocalApi();
    order({ clientId: 'x' });
    const { id } = open()[0]!;
    expect(read(`/orders/${id}`)).toEqual(shown({ id, clientId: 'x' }));
    expect(read(`/markets/BTC-PERP/trades?order_id=${id}`)).toEqual(read(`/orders/${id}`));
    expect(refusal('GET', `/markets/ETH-PERP/trades?order_id=${id}`)[0]).toBe(404);
    theirs('ask', 0.1, 59_000);
    expect(read(`/orders/${id}`)).toEqual(shown({ id, clientId: 'x', status: 'closed', remainingSize: 0 }));
  });

  test('a filled market order shows its average price', () => {
    const { order, read, theirs, exchange, account } = openLocalApi();
    theirs('ask', 0.04, 61_000);
    theirs('ask', 0.06, 62_000);
    order({ type: 'market', price: null });
    const [done] = exchange.orderHistory(account, {}).items;
    const fields = { id: done!.orderId, type: 'market', price: 61_600, ioc: true, status: 'closed', remainingSize: 0 };
    expect(read(`/orders/${done!.orderId}`)).toEqual(shown(fields));
  });
});

describe('modifying', () => {
  test('cancels and places as one; everything but price, size and id stays', () => {
    const { order, open, result } = openLocalApi();
    order({ postOnly: true, clientId: 'mine' });
    const before = open()[0]!;
    const after = result('POST', `/orders/${before.id}/modify`, { price: 58_000, size: 0.25 }) as ShownOrder;
    expect(after).toEqual(shown({ price: 58_000, size: 0.25, remainingSize: 0.25, postOnly: true, clientId: 'mine' }));
    expect(after.id).not.toBe(before.id);
    expect(open()).toEqual([after]);
  });

  test('to a price that crosses the book, it trades', () => {
    const { order, open, result, theirs, held } = openLocalApi();
    order({});
    theirs('ask', 0.3, 59_500);
    const after = result('POST', `/orders/${open()[0]!.id}/modify`, { price: 59_500, size: 0.2 });
    expect(after).toEqual(shown({ price: 59_500, size: 0.2, remainingSize: 0, status: 'closed' }));
    expect([held(), open()]).toEqual([0.2, []]);
  });

  test('a refusal changes nothing, not even the place in the queue', () => {
    const { order, open, refusal, theirs, read } = openLocalApi();
    order({ postOnly: true });
    theirs('bid', 0.1, 59_000);
    theirs('ask', 0.1, 59_500);
    const [before, account] = [open(), read('/account')];
    const path = `/orders/${before[0]!.id}/modify`;
    expect(refusal('POST', path, { price: 59_500, size: 0.1 })[1]).toContain('POST_ONLY');
    expect(refusal('POST', path, { price: 59_000, size: 100 })[1]).toContain('INSUFFICIENT_FUNDS');
    expect(refusal('POST', path, { price: 90_000, size: 0.1 })[1]).toContain('ORDER_EXECUTION_LIMIT_PRICE');
    expect([open(), read('/account')]).toEqual([before, account]);
    theirs('ask', 0.1, 59_000);
    expect(open()).toEqual([]);
  });

  test('the margin of the order is free for its replacement', () => {
    const { order, open, result, refusal } = openLocalApi();
    order({ size: 30, price: 60_000 });
    refusal('POST', '/orders', { ...BUY, size: 10 });
    result('POST', `/orders/${open()[0]!.id}/modify`, { price: 59_900, size: 31 });
    expect(open()).toMatchObject([{ size: 31 }]);
  });

  test('an order that has ended or is queued for cancellation cannot be modified', () => {
    const { order, open, result, refusal, pass } = openLocalApi();
    order({});
    const { id } = open()[0]!;
    result('DELETE', `/orders/${id}`);
    expect(refusal('POST', `/orders/${id}/modify`, { price: 58_000, size: 0.1 })[0]).toBe(404);
    pass(100);
    expect(refusal('POST', `/orders/${id}/modify`, { price: 58_000, size: 0.1 })[0]).toBe(404);
  });
});

describe('cancelling', () => {
  test('is queued, and executed at the next step', () => {
    const { order, open, result, pass, read, refusal } = openLocalApi();
    order({});
    const { id } = open()[0]!;
    expect(result('DELETE', `/orders/${id}`)).toContain('queued');
    expect(open()).toEqual([shown({})]);
    expect(result('DELETE', `/orders/${id}`)).toContain('queued');
    pass(49); // 50 ms before the step
    expect(open()).toHaveLength(1);
    pass(1);
    expect(open()).toEqual([]);
    expect(read(`/orders/${id}`)).toEqual(shown({ status: 'closed' }));
    expect(refusal('DELETE', `/orders/${id}`)).toEqual([404, expect.stringContaining('ORDER_NOT_FOUND')]);
  });

  test('comes too late for an order that is filled first', () => {
    const { order, open, result, pass, theirs, held } = openLocalApi();
    order({});
    result('DELETE', `/orders/${open()[0]!.id}`);
    theirs('ask', 0.1, 59_000);
    pass(100);
    expect([open(), held()]).toEqual([[], 0.1]);
  });

  test.each(['/orders/by_client_id/', '/orders/by_client_id/BTC-PERP/'])('by client id, at %s', (path) => {
    const { order, open, result, pass, refusal } = openLocalApi();
    order({ clientId: '7' });
    order({ clientId: 'a b' });
    expect(result('DELETE', `${path}a%20b`)).toContain('queued');
    pass(100);
    expect(open()).toMatchObject([{ clientId: '7' }]);
    expect(result('DELETE', `${path}7`)).toContain('queued');
    pass(100);
    expect(open()).toEqual([]);
    expect(refusal('DELETE', `${path}7`)).toEqual([404, expect.stringContaining('ORDER_NOT_FOUND')]);
  });

  test('by client id, not in another market', () => {
    const { order, refusal } = openLocalApi();
    order({ clientId: '7' });
    expect(refusal('DELETE', '/orders/by_client_id/ETH-PERP/7')[0]).toBe(404);
  });

  test('all', () => {
    const { order, open, result, pass, theirs, exchange } = openLocalApi();
    order({});
    order({ market: 'ETH-PERP', price: 2_900, size: 1 });
    theirs('bid', 1, 50_000);
    expect(result('DELETE', '/orders')).toContain('queued');
    expect(open()).toHaveLength(2);
    pass(100);
    expect(open()).toEqual([]);
    expect(exchange.book(0)!.bids).toHaveLength(1);
    expect(result('DELETE', '/orders')).toContain('queued');
  });
});

describe('closing a position', () => {
  test('takes the whole of it from the book, long or short', () => {
    const { order, theirs, result, held } = openLocalApi();
    for (const [side, opposite] of [
      ['buy', 'bid'],
      ['sell', 'ask'],
    ] as const) {
      theirs(side === 'buy' ? 'ask' : 'bid', 0.3, 60_000);
      order({ side, price: 60_000, size: 0.3 });
      theirs(opposite, 0.2, 60_500);
      theirs(opposite, 1, 60_000);
      expect(result('DELETE', '/positions/BTC-PERP')).toEqual({ txId: TX_ID });
      expect(held()).toBe(0);
    }
  });

  test('is refused without one', () => {
    const { refusal } = openLocalApi();
    expect(refusal('DELETE', '/positions/BTC-PERP')).toEqual([404, expect.stringContaining('POSITION_NOT_FOUND')]);
    expect(refusal('DELETE', '/positions/SOL/USDC')[0]).toBe(400);
    expect(refusal('DELETE', '/positions/DOGE-PERP')[0]).toBe(404);
  });
});

test('a txId names one write', () => {
  const { order, theirs, result } = openLocalApi();
  theirs('ask', 1, 60_000);
  theirs('bid', 1, 59_990);
  const ids = [
    order({}),
    order({ price: 60_000 }),
    result('DELETE', '/positions/BTC-PERP'),
    result('GET', '/wallet/deposits?coin=USDC&size=1'),
  ].map((answer) => (answer as { txId: string }).txId);
  expect(new Set(ids).size).toBe(4);
});
