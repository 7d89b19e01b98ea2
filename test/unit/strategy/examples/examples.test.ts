// The programs of the guide do what their first lines say.

import { defineStrategy, ewma } from 'tickwright';
import { marketScript, play } from 'tickwright/testing';
import { expect, test } from 'vitest';
import { RestartStage } from '../../../story/restart/restart-stage.ts';
import follow from './follow.ts';
import rider from './rider.ts';
import saver from './saver.ts';

test('saver buys once an hour', async () => {
  const market = marketScript().price('0s', 60_000).until('50m').price('59m', 50_000).until('61m');
  const { fills } = await play(saver, { market });
  expect(fills.map(({ side, size }) => `${side} ${size}`)).toEqual(['bid 0.0016', 'bid 0.0020']);
});

test('saver buys nothing again after a restart', async () => {
  const stage = await new RestartStage(saver, 60_000).start();
  await stage.seconds(5);
  await stage.crash();
  await stage.start();
  await stage.price(59_000).seconds(70);
  expect(stage.position).toBe(0.0016);
});

test('rider buys a move once, and sells 1 % below its high', async () => {
  const market = marketScript().price('0s', 60_000).price('10s', 60_300).price('30s', 61_000).price('50s', 60_380).until('80s');
  const { fills } = await play(rider, { market });
  expect(fills.map(({ side, price }) => `${side} ${price}`)).toEqual(['bid 60300.1', 'ask 60379.9']);
});

test('a target of an amount of money trades that amount, not a lot at every move of the price', async () => {
  const fade = defineStrategy({
    name: 'fade',
    defaults: { market: 'BTCUSDC' },
    create({ market }) {
      const average = ewma(10_000);
      return (view) => {
        const { mid, target } = view.market(market);
        if (mid === undefined) return [];
        const awayBps = (mid / average.update(mid, view.now) - 1) * 1e4;
        return Math.abs(awayBps) < 1 ? [] : [target({ position: (-Math.sign(awayBps) * 1_000) / mid, maxSlippageBps: 2 })];
      };
    },
  });
  const { fills } = await play(fade, { for: '15m', seed: 'band' });
  const ofOneLot = fills.filter(({ size }) => size === '0.0001');
  expect(fills.length).toBeGreaterThan(20);
  expect(ofOneLot.length).toBeLessThan(fills.length * 0.1);
});

test('follow holds what the last signal says, and nothing while the mood is bad', async () => {
  const inputs = {
    side: [{ after: '5s', value: { position: 'long' } }],
    mood: [
      { after: '2s', value: { score: 0.1 } },
      { after: '20s', value: { score: -0.9 } },
    ],
  };
  const { fills } = await play(follow, { market: marketScript().price('0s', 60_000).until('30s'), inputs });
  expect(fills.map(({ side, size }) => `${side} ${size}`)).toEqual(['bid 0.0166', 'ask 0.0166']);
});
