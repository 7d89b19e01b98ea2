// A strategy of another project, compiled there by several versions of TypeScript with strict settings and without the types of Node.
import { defineStrategy, ema, poll, type Resolution } from 'tickwright';
import { connectHosted, connectLocal } from 'tickwright/client';
import { check, marketScript, play } from 'tickwright/testing';

const strategy = defineStrategy({
  name: 'consumer',
  defaults: { market: 'BTCUSDC', others: ['ETHUSDC'], resolution: '1h', wait: '15s', size: 0.01, short: true },
  ranges: { size: [0, 1] },
  history: ({ resolution }) => ({ candles: { [resolution]: 20 } }),
  every: ({ resolution }) => resolution,
  inputs: () => ({ mood: poll({ url: 'http://127.0.0.1:1/mood', everyMs: 1_000 }) }),
  create({ market, others, resolution, wait, size, short }, { log, memory }) {
    const types: [string, readonly string[], Resolution, string, number, boolean] = [market, others, resolution, wait, size, short];
    const average = ema(3);
    return (view) => {
      const { mid, target, candles, trailingStop } = view.market(market);
      log.info('called', { parameters: types.length });
      memory.set({ now: view.now });
      for (const { close } of candles(resolution)) average.update(close);
      return mid === undefined ? [] : [target({ position: size }), trailingStop({ bps: 100 })];
    };
  },
});
export default strategy;

export const played = play(strategy, { market: marketScript().price('0s', 60_000).until('5s') });
export const checked = check(strategy, { only: ['cost'] });
export const clients = [connectHosted, connectLocal];

defineStrategy({
  name: 'wrong',
  defaults: { size: 1 },
  // @ts-expect-error a size is a number
  create: ({ size }) => size.trim(),
});
