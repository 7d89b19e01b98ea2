// The strategy that both sides of the comparison play; `peer.py` has the same rule for hftbacktest.
import { defineStrategy, type Intent, type PriceLevel } from 'tickwright';

/**
 * The centre is the mid price rounded to the spacing, halves up. Bids are quoted at the first `levels` steps below it and asks above it, each of
 * `size`; bids while the position is below the limit, asks while it is above its negative. Orders elsewhere are cancelled. Orders at a quoted price
 * stay, also when partly filled.
 */
export default defineStrategy({
  name: 'peers-grid',
  defaults: { market: '', spacing: 1, levels: 10, size: 1, maxPosition: 1 },
  create({ market: symbol, spacing, levels, size, maxPosition }) {
    let last: { readonly centre: number; readonly buys: boolean; readonly sells: boolean; readonly wants: readonly Intent[] } | undefined;
    return (view) => {
      const market = view.market(symbol);
      const { mid, tick, position } = market;
      if (mid === undefined) return [];
      const step = Math.round(spacing / tick);
      const centre = Math.floor(mid / tick / step + 0.5) * step;
      const [buys, sells] = [position < maxPosition, position > -maxPosition];
      if (last?.centre === centre && last.buys === buys && last.sells === sells) return last.wants;
      const bids: PriceLevel[] = [];
      const asks: PriceLevel[] = [];
      for (let away = step; away <= levels * step; away += step) {
        if (buys) bids.push({ price: (centre - away) * tick, size });
        if (sells) asks.push({ price: (centre + away) * tick, size });
      }
      last = { centre, buys, sells, wants: [market.quote({ bids, asks })] };
      return last.wants;
    };
  },
});
