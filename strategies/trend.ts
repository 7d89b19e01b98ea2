// A trend follower: buys when a candle closes above the highest high of the candles before it, and sells by a stop that trails below the market.
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'trend',
  defaults: { market: 'BTCUSDC', resolution: '1h', length: 48, trailBps: 300, size: 0.01, maxSlippageBps: 10 },
  ranges: { length: [1, 400] },
  history: ({ resolution, length }) => ({ candles: { [resolution]: length + 1 } }),
  every: ({ resolution }) => resolution,
  create({ market, resolution, length, trailBps, size, maxSlippageBps }) {
    return (view) => {
      const { candles, target, trailingStop } = view.market(market);
      const stop = trailingStop({ bps: trailBps });
      const before = candles(resolution).slice(-1 - length);
      const newest = before.pop();
      if (newest === undefined || before.length < length) return [stop];
      const isBreakout = newest.close > Math.max(...before.map(({ high }) => high));
      return isBreakout ? [target({ position: size, maxSlippageBps }), stop] : [stop]; // what is held stays held until the stop
    };
  },
});
