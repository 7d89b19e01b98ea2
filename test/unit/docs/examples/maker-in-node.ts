import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marketScript, play } from 'tickwright/testing';
import maker from './maker.ts';

test('quotes both sides of the price', async () => {
  const market = marketScript().price('0s', 60_000).until('5s');
  const { orders } = await play(maker, { market });
  const placed = orders.filter(({ status }) => status === 'open');
  assert.deepEqual(placed.map(({ side, price }) => `${side} ${price}`).sort(), ['ask 60012.0', 'bid 59988.0']);
});

test('a trade of others fills the bid', async () => {
  const market = marketScript().price('0s', 60_000).trade('3s', { takerSide: 'ask', price: 59_970, size: 1 }).until('10s');
  const { fills, summary } = await play(maker, { market });
  assert.deepEqual(
    fills.map(({ side, price, role }) => [side, price, role]),
    [['bid', '59988.0', 'maker']],
  );
  assert.deepEqual(summary.positions, { BTCUSDC: '0.0083' });
});

test('a guard cuts what is too large, and says so', async () => {
  const market = marketScript().price('0s', 60_000).until('5s');
  const { findings } = await play(maker, { market, limits: { 'order-size': { maxNotional: 100 } } });
  assert.ok(findings.some(({ guard }) => guard === 'order-size'));
});

test('does the same again with the same seed', async () => {
  const [once, again] = [await play(maker, { for: '30s', seed: 'one' }), await play(maker, { for: '30s', seed: 'one' })];
  assert.equal(again.fingerprint, once.fingerprint);
});
