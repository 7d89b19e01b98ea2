// One order on each side of the price, and none on the side that would take the position beyond its limit.
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'maker',
  defaults: { market: 'BTCUSDC', notional: 500, halfSpreadBps: 2, maxPositionNotional: 2_000 },
  create({ market, notional, halfSpreadBps, maxPositionNotional }) {
    return (view) => {
      const { mid, position, quote } = view.market(market);
      if (mid === undefined) return []; // no price is known, so no orders
      const size = notional / mid;
      const held = (position * mid) / maxPositionNotional; // -1 to 1
      const bids = held < 1 ? [{ price: mid * (1 - halfSpreadBps / 1e4), size }] : [];
      const asks = held > -1 ? [{ price: mid * (1 + halfSpreadBps / 1e4), size }] : [];
      return [quote({ bids, asks, slackBps: 1 })]; // an order within 1 bp of where it should be stays where it is
    };
  },
});
