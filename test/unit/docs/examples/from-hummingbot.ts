// Simple market making: one bid and one ask at fixed spreads around the mid price.
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'simple-pmm',
  defaults: { market: 'ETHUSDC', bidSpread: 0.001, askSpread: 0.001, amount: 0.1, slackBps: 2 },
  create({ market, bidSpread, askSpread, amount, slackBps }) {
    return (view) => {
      const { mid, quote } = view.market(market);
      if (mid === undefined) return [];
      return [
        quote({
          bids: [{ price: mid * (1 - bidSpread), size: amount }],
          asks: [{ price: mid * (1 + askSpread), size: amount }],
          slackBps,
        }),
      ];
    };
  },
});
