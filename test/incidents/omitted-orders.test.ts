// An exchange whose accounts omit resting orders: no level may be doubled, and trading must go on by itself. More ways to omit them: `omitted-orders.slow.test.ts`.
import { expect, test } from 'vitest';
import { defineStrategy } from '../../src/bot/strategy/contract.ts';
import { START } from '../replay/virtual-run.ts';
import { ALL, ASKS, FIRST, LAST, LyingExchange, NOT_DOUBLED, testLies } from './omitted-orders-stage.ts';
import { isAction } from './scene.ts';

testLies([
  ['the asks for 12 s', { omits: ASKS, seconds: 12 }],
  ['all orders for 20 s, as do all other reads', { omits: ALL, seconds: 20, countsToo: true, readsToo: true }],
]);

/** A bid far below the market that doubles its size. */
const growing = defineStrategy({
  name: 'growing',
  defaults: { market: 'BTCUSDC' },
  create: ({ market: symbol }) => {
    let price: number | undefined;
    return (view) => {
      const market = view.market(symbol);
      if (market.mid === undefined) return [];
      price ??= Math.round(market.mid * 0.97);
      return [market.quote({ bids: [{ price, size: view.now < START + FIRST * 1_000 ? 0.01 : 0.02 }], asks: [] })];
    };
  },
});

test('a level is not refilled while the cancel of the order at its price has no answer', async () => {
  const stage = await LyingExchange.open('unanswered');
  await stage.start(growing, {});
  await stage.until(FIRST - 1);
  const [small] = stage.resting();
  expect(small).toBeDefined();
  let cancels = 1;
  stage.network.drops = (request) => isAction(request) && cancels-- > 0;
  expect(await stage.watched(LAST)).toEqual(NOT_DOUBLED);
  expect(cancels).toBeLessThanOrEqual(0);
  expect(stage.resting()).toMatchObject([{ price: small?.price, originalSize: 2 * (small?.originalSize ?? 0) }]);
  await stage.stop();
});
