// Mean reversion: short after a rise above the average, long after a fall below it, and no change in between.
import { defineStrategy, ewma } from 'tickwright';

export default defineStrategy({
  name: 'fade',
  defaults: { market: 'BTCUSDC', notional: 1_000, enterBps: 2, halfLifeMs: 10_000 },
  create({ market, notional, enterBps, halfLifeMs }) {
    const average = ewma(halfLifeMs);
    return (view) => {
      const btc = view.market(market);
      if (btc.mid === undefined) return []; // nothing seen, so no orders
      const awayBps = (btc.mid / average.update(btc.mid, view.now) - 1) * 1e4;
      if (Math.abs(awayBps) < enterBps) return []; // what is held stays held
      return [btc.target({ position: (-Math.sign(awayBps) * notional) / btc.mid, maxSlippageBps: 2 })];
    };
  },
});
