// A candle crossover: long while the fast average of the closes is above the slow one, and short, or flat, while it is below.
import { defineStrategy, UserError } from 'tickwright';

export default defineStrategy({
  name: 'crossover',
  defaults: { market: 'BTCUSDC', resolution: '1h', fast: 50, slow: 200, size: 0.01, short: true, maxSlippageBps: 10 },
  history: ({ resolution, slow }) => ({ candles: { [resolution]: slow } }),
  every: ({ resolution }) => resolution,
  create({ market, resolution, fast, slow, size, short, maxSlippageBps }) {
    if (fast >= slow) throw new UserError({ code: 'params', message: `fast ${fast} is not below slow ${slow}` });
    return (view) => {
      const { averageClose, target } = view.market(market);
      const [quick, steady] = [averageClose(fast, resolution), averageClose(slow, resolution)];
      if (quick === undefined || steady === undefined || quick === steady) return []; // what is held stays held
      return [target({ position: quick > steady ? size : short ? -size : 0, maxSlippageBps })];
    };
  },
});
