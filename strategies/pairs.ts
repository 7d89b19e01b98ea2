// A pairs trade: when the ratio of two prices is far from its average, sells the dearer market and buys the cheaper one until the ratio is back.
import { bollinger, defineStrategy, UserError } from 'tickwright';

export default defineStrategy({
  name: 'pairs',
  defaults: {
    market: 'ETHUSDC',
    hedgeMarket: 'BTCUSDC',
    size: 0.5,
    hedgeSize: 0.025,
    resolution: '1m',
    length: 120,
    enterDeviations: 2.5,
    exitDeviations: 0.5,
    maxSlippageBps: 10,
  },
  ranges: { exitDeviations: [0, 100], length: [2, 500] },
  history: ({ resolution, length }) => ({ candles: { [resolution]: length } }),
  every: ({ resolution }) => resolution,
  create({ market, hedgeMarket, size, hedgeSize, resolution, length, enterDeviations, exitDeviations, maxSlippageBps }) {
    if (exitDeviations >= enterDeviations) throw new UserError({ code: 'params', message: 'exitDeviations is not below enterDeviations' });
    return (view) => {
      const [one, other] = [view.market(market), view.market(hedgeMarket)];
      const hedge = new Map(other.candles(resolution).map(({ start, close }) => [start, close]));
      const both = one.candles(resolution).filter(({ start }) => hedge.has(start));
      const ratios = both.slice(-length).map(({ start, close }) => Math.log(close / hedge.get(start)!));
      const average = bollinger(length, 1);
      const bands = ratios.map((ratio) => average.update(ratio)).at(-1);
      if (bands === undefined || bands.upper === bands.middle) return []; // what is held stays held
      const away = (ratios.at(-1)! - bands.middle) / (bands.upper - bands.middle); // in standard deviations
      const held = Math.sign(one.position);
      const side = Math.abs(away) >= enterDeviations ? -Math.sign(away) : -away * held > exitDeviations ? held : 0;
      return [one.target({ position: side * size, maxSlippageBps }), other.target({ position: -side * hedgeSize, maxSlippageBps })];
    };
  },
});
