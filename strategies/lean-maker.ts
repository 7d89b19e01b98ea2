// A market maker that quotes around a smoothed mid and skews both prices against its position: the longer it is, the lower they are.
import { defineStrategy, ewma } from 'tickwright';

export default defineStrategy({
  name: 'lean-maker',
  defaults: {
    market: 'BTCUSDC',
    size: 0,
    notional: 500,
    halfSpreadBps: 3,
    leanBps: 2,
    maxPositionNotional: 5_000,
    halfLifeMs: 2_000,
    slackBps: 1,
  },
  create({ market, size, notional, halfSpreadBps, leanBps, maxPositionNotional, halfLifeMs, slackBps }) {
    const slowMid = ewma(halfLifeMs);
    return (view) => {
      const { mid, bestBid, bestAsk, position, quote } = view.market(market);
      if (mid === undefined || bestBid === undefined || bestAsk === undefined) return []; // nothing seen, so no orders
      const fair = slowMid.update(mid, view.now);
      const held = (position * mid) / maxPositionNotional;
      const lean = held * leanBps;
      const bid = Math.min(bestBid, fair * (1 - (halfSpreadBps + lean) / 1e4)); // in a fast market the smoothed mid may lie outside the spread
      const ask = Math.max(bestAsk, fair * (1 + (halfSpreadBps - lean) / 1e4));
      const each = size || notional / mid;
      return [quote({ bids: held < 1 ? [{ price: bid, size: each }] : [], asks: held > -1 ? [{ price: ask, size: each }] : [], slackBps })];
    };
  },
});
