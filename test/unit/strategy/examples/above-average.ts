// Long while the price is above its average of fifty hours, flat otherwise.
import { defineStrategy, sma } from 'tickwright';

export default defineStrategy({
  name: 'above-average',
  defaults: { market: 'BTCUSDC', hours: 50, size: 0.01 },
  history: ({ hours }) => ({ candles: { '1h': hours } }),
  every: '1h',
  create:
    ({ market, hours, size }) =>
    (view) => {
      const { candles, target } = view.market(market);
      const closes = candles('1h').map(({ close }) => close);
      const average = sma(hours);
      let level: number | undefined;
      for (const close of closes.slice(-hours)) level = average.update(close);
      return [target({ position: level !== undefined && closes.at(-1)! > level ? size : 0 })];
    },
});
