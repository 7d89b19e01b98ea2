// Buys for the same amount every hour, and holds what it has bought: how much that is survives a restart.
import { defineStrategy } from 'tickwright';

interface Saved {
  readonly hour: number;
  readonly position: number;
}

export default defineStrategy({
  name: 'saver',
  defaults: { market: 'BTCUSDC', notional: 100 },
  create({ market, notional }, { memory }) {
    return (view) => {
      const btc = view.market(market);
      const saved = (memory.get() ?? { hour: 0, position: 0 }) as Saved;
      const hour = Math.floor(view.now / 3_600_000);
      const isDue = btc.mid !== undefined && hour > saved.hour;
      const position = isDue ? saved.position + notional / btc.mid : saved.position;
      if (isDue) memory.set({ hour, position });
      return [btc.target({ position })];
    };
  },
});
