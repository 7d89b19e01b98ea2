// A trend follower: buys when a candle closes above the highest high of the candles before it, and sells by a stop that trails below the market.
import { defineStrategy, type Resolution } from 'tickwright';

const defaults = { market: 'BTCUSDC', resolution: '1h' as Resolution, entryLength: 48, stopLength: 24, size: 0.01, maxSlippageBps: 10 };

export default defineStrategy({
  name: 'trend',
  defaults,
  ranges: { entryLength: [1, 400], stopLength: [1, 400] },
  history: ({ resolution, entryLength, stopLength }) => ({ candles: { [resolution]: Math.max(entryLength, stopLength) + 1 } }),
  every: ({ resolution }) => resolution,
  create({ market, resolution, entryLength, stopLength, size, maxSlippageBps }) {
    return (view) => {
      const { candles, position, target } = view.market(market);
      const before = candles(resolution).slice(-1 - Math.max(entryLength, stopLength));
      const newest = before.pop();
      if (newest === undefined || before.length < Math.max(entryLength, stopLength)) return []; // what is held stays held
      const highest = Math.max(...before.slice(-entryLength).map(({ high }) => high));
      const lowest = Math.min(...before.slice(-stopLength).map(({ low }) => low));
      const isLong = position > 0 ? newest.close >= lowest : newest.close > highest;
      return [target({ position: isLong ? size : 0, maxSlippageBps })];
    };
  },
});
