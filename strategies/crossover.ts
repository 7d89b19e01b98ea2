// A candle crossover: long while the fast average of the closes is above the slow one, and short, or flat, while it is below.
import { type CandleView, defineStrategy, UserError } from 'tickwright';

export default defineStrategy({
  name: 'crossover',
  defaults: { market: 'BTCUSDC', resolution: '1h', fast: 50, slow: 200, size: 0.01, short: true, maxSlippageBps: 10 },
  history: ({ resolution, slow }) => ({ candles: { [resolution]: slow } }),
  every: ({ resolution }) => resolution,
  create({ market, resolution, fast, slow, size, short, maxSlippageBps }) {
    if (fast >= slow) throw new UserError({ code: 'params', message: `fast ${fast} is not below slow ${slow}` });
    return (view) => {
      const { candles, target } = view.market(market);
      const finished = candles(resolution);
      const above = averageClose(finished, fast) - averageClose(finished, slow);
      if (finished.length < slow || above === 0) return []; // what is held stays held
      return [target({ position: above > 0 ? size : short ? -size : 0, maxSlippageBps })];
    };
  },
});

const averageClose = (candles: readonly CandleView[], count: number): number =>
  candles.slice(-count).reduce((sum, { close }) => sum + close, 0) / count;
