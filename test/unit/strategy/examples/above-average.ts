// Long while the price is above its average of fifty hours, flat otherwise.
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'above-average',
  defaults: { market: 'BTCUSDC', hours: 50, size: 0.01 },
  history: ({ hours }) => ({ candles: { '1h': hours } }),
  every: '1h',
  create:
    ({ market, hours, size }) =>
    (view) => {
      const { averageClose, target } = view.market(market);
      const [close, average] = [averageClose(1, '1h'), averageClose(hours, '1h')];
      return [target({ position: close !== undefined && average !== undefined && close > average ? size : 0 })];
    },
});
