// Reduce-only orders, and orders that replace others.
import { describe, expect, test } from 'vitest';
import { lots } from '../../../src/bot/domain/numbers.ts';
import { QuietExchange } from './quiet-exchange.ts';

function setup(size: number) {
  const quiet = new QuietExchange();
  const [alice, bob] = [quiet.user('alice', 100_000), quiet.user('bob', 1_000_000)];
  quiet.trade({ buyer: alice, seller: bob }, `${size} BTCUSDC @ 60000`);
  const reduce = (amount: number, price: number) =>
    quiet.exchange.place({
      account: alice,
      market: 0,
      side: 'ask',
      fillMode: 'LIMIT',
      price: quiet.market('BTCUSDC').restAt('ask', price),
      size: lots(amount * 10_000),
      reduceOnly: true,
    });
  const resting = () => quiet.state(alice).orders.map(({ size: left, originalSize }) => [left / 10_000, originalSize / 10_000]);
  const held = () => (quiet.state(alice).positions[0]?.size ?? 0) / 10_000;
  return { quiet, alice, bob, reduce, resting, held };
}

describe('a reduce-only order', () => {
  test('never opens a position, however much it could trade', () => {
    const { quiet, bob, reduce, resting, held } = setup(0.3);
    reduce(0.2, 60_100);
    reduce(0.2, 60_200);
    expect(resting()).toEqual([
      [0.2, 0.2],
      [0.1, 0.1],
    ]);
    quiet.placed(bob, 'bid 5 BTCUSDC @ 60300');
    expect([held(), resting()]).toEqual([0, []]);
  });

  test('is reduced newest first, and keeps its place in the queue', () => {
    const { quiet, alice, bob, reduce, resting } = setup(0.3);
    reduce(0.1, 60_100);
    reduce(0.2, 60_100);
    quiet.placed(bob, 'ask 1 BTCUSDC @ 60100');
    quiet.placed(bob, 'bid 0.15 BTCUSDC @ 59000');
    quiet.placed(alice, 'ask 0.15 BTCUSDC @ 59000');
    expect(resting()).toEqual([
      [0.1, 0.1],
      [0.05, 0.05],
    ]);
    quiet.placed(bob, 'bid 0.15 BTCUSDC @ 60100');
    expect(resting()).toEqual([]);
  });

  test('cut in the middle of being filled, it counts what was filled', () => {
    const { quiet, alice, bob, reduce, resting } = setup(0.3);
    reduce(0.3, 60_100);
    quiet.placed(bob, 'bid 0.1 BTCUSDC @ 60100');
    quiet.placed(bob, 'bid 0.05 BTCUSDC @ 59000');
    quiet.placed(alice, 'ask 0.05 BTCUSDC @ 59000');
    expect(resting()).toEqual([[0.15, 0.25]]);
    expect(quiet.exchange.book(0)?.asks).toMatchObject([{ size: 1_500 }]);
    expect(quiet.exchange.orderHistory(alice, {}).items.find(({ reduceOnly }) => reduceOnly)).toMatchObject({ filled: 1_000, size: 2_500 });
  });

  test('may take what closes, though as much rests already', () => {
    const { quiet, alice, bob, held, reduce, resting } = setup(0.3);
    reduce(0.3, 60_100);
    quiet.placed(bob, 'bid 1 BTCUSDC @ 59000');
    const order = { account: alice, market: 0, side: 'ask', fillMode: 'IMMEDIATE_OR_CANCEL', size: lots(9_000), reduceOnly: true } as const;
    expect(quiet.exchange.place(order).kind).toBe('accepted');
    expect([held(), resting()]).toEqual([0, []]);
  });

  test('is refused on the side of the position, and without one', () => {
    const { quiet, bob, alice } = setup(0.3);
    const order = { market: 0, fillMode: 'LIMIT', price: 600_000 as never, size: lots(1), reduceOnly: true } as const;
    expect(quiet.exchange.place({ ...order, account: alice, side: 'bid' })).toMatchObject({ error: 'POSITION_NOT_FOUND' });
    expect(quiet.exchange.place({ ...order, account: bob, side: 'ask' })).toMatchObject({ error: 'POSITION_NOT_FOUND' });
  });
});

describe('replacing', () => {
  test('is a cancel and a placement: two actions, a new order, last in the queue', () => {
    const { quiet, alice, bob, resting } = setup(0.3);
    const { posted } = quiet.placed(alice, 'bid 0.1 BTCUSDC @ 59000');
    quiet.placed(bob, 'bid 0.1 BTCUSDC @ 59000');
    const before = Number(quiet.exchange.lastActionId());
    const same = { price: posted!.price, size: posted!.size };
    const outcome = quiet.exchange.replace({ account: alice, orderId: posted!.orderId, ...same });
    expect(outcome).toMatchObject({ kind: 'accepted', actionId: String(before + 2), posted: same, fills: [] });
    quiet.placed(bob, 'ask 0.1 BTCUSDC @ 59000');
    expect(resting()).toEqual([[0.1, 0.1]]);
  });

  test('keeps a reduce-only order one', () => {
    const { quiet, alice, reduce, resting } = setup(0.3);
    reduce(0.3, 60_100);
    const [order] = quiet.state(alice).orders;
    quiet.exchange.replace({ account: alice, orderId: order!.orderId, price: order!.price, size: lots(8_000) });
    expect(resting()).toEqual([[0.3, 0.3]]);
    expect(quiet.exchange.records.openOrders(alice)).toMatchObject([{ reduceOnly: true }]);
  });

  test('works at the limit of open orders', () => {
    const { quiet, alice } = setup(0.3);
    for (let count = 0; count < 250; count++) quiet.placed(alice, 'bid 0.0001 BTCUSDC @ 59000');
    expect(quiet.refusal(alice, 'bid 0.0001 BTCUSDC @ 59000')).toBe('TOO_MANY_OPEN_ORDERS');
    const [order] = quiet.state(alice).orders;
    const outcome = quiet.exchange.replace({ account: alice, orderId: order!.orderId, price: order!.price, size: lots(2) });
    expect(outcome.kind).toBe('accepted');
    expect(quiet.state(alice).orders).toHaveLength(250);
  });

  test('of another’s order, or of none, is refused', () => {
    const { quiet, alice, bob } = setup(0.3);
    const { posted } = quiet.placed(alice, 'bid 0.1 BTCUSDC @ 59000');
    const wish = { orderId: posted!.orderId, price: posted!.price, size: posted!.size };
    expect(quiet.exchange.replace({ ...wish, account: bob })).toMatchObject({ error: 'ORDER_NOT_FOUND' });
    expect(quiet.exchange.replace({ ...wish, account: 999 })).toMatchObject({ error: 'ACCOUNT_NOT_FOUND' });
  });
});
