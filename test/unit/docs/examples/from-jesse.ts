// Long with a part of the equity while the supertrend is up, short while it is down.
import { defineStrategy, supertrend } from 'tickwright';

const CANDLES = 200; // warm-up

export default defineStrategy({
  name: 'supertrend',
  defaults: { market: 'BTCUSDC', share: 0.05, length: 10, multiple: 3 },
  history: { candles: { '1h': CANDLES } },
  every: '1h',
  create({ market, share, length, multiple }) {
    return (view) => {
      const btc = view.market(market);
      const finished = btc.candles('1h').slice(-CANDLES);
      const indicator = supertrend(length, multiple);
      const trend = finished.map((candle) => indicator.update(candle)).at(-1);
      if (finished.length < CANDLES || trend === undefined || btc.mid === undefined) return [];
      const side = trend.up ? 1 : -1;
      if (Math.sign(btc.position) === side) return []; // what is held stays held
      return [btc.target({ position: (side * share * view.account.equity) / btc.mid })];
    };
  },
});
