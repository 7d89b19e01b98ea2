// Buys when the price has left its average upwards, and rides the move until it has come back by a percent.
import { defineStrategy, ewma } from 'tickwright';

export default defineStrategy({
  name: 'rider',
  defaults: { market: 'BTCUSDC', notional: 1_000, enterBps: 20, trailBps: 100, halfLifeMs: 60_000 },
  create({ market, notional, enterBps, trailBps, halfLifeMs }) {
    const average = ewma(halfLifeMs);
    return (view) => {
      const btc = view.market(market);
      if (btc.mid === undefined) return [];
      const awayBps = (btc.mid / average.update(btc.mid, view.now) - 1) * 1e4;
      const exit = btc.trailingStop({ bps: trailBps });
      return awayBps > enterBps && btc.position === 0 ? [btc.target({ position: notional / btc.mid }), exit] : [exit];
    };
  },
});
