// Every fill is booked once, and they add up to the position.
import type { MakeCheck } from '../scene.ts';

export const ledger: MakeCheck = ({ venue, record, fail }) => ({
  quiescent() {
    const booked = new Map<string, number>();
    for (const fill of record.repeated)
      fail('V6', `trade ${fill.tradeId} was booked twice: ${JSON.stringify([record.fills.get(`${fill.tradeId}/${fill.side}`), fill])}`);
    const { account, truth } = venue;
    const made = new Map<string, { readonly size: number; readonly fee: number }>();
    for (const trade of truth.trades()) {
      const [taken, given] = trade.takerSide === 'bid' ? (['bid', 'ask'] as const) : (['ask', 'bid'] as const);
      if (trade.takerId === account) made.set(`${trade.tradeId}/${taken}`, { size: trade.size, fee: trade.takerFee });
      if (trade.makerId === account) made.set(`${trade.tradeId}/${given}`, { size: trade.size, fee: trade.makerFee });
    }
    for (const [key, fill] of record.fills) {
      const market = venue.exchange.markets.find(({ symbol }) => symbol === fill.market);
      const size = market?.parseSize(fill.size) ?? 0;
      const truly = made.get(key);
      if (truly?.size !== size) fail('V6', `trade ${key} of ${size} was booked; in truth it is of ${truly?.size ?? 'nobody'}`);
      else if (fill.fee !== undefined && Math.round(Number(fill.fee) * 1e6) !== truly.fee)
        fail('V6', `trade ${key} was booked with a fee of ${fill.fee}; in truth it is ${truly.fee} micros`);
      if (market !== undefined) booked.set(market.symbol, (booked.get(market.symbol) ?? 0) + (fill.side === 'bid' ? size : -size));
    }
    for (const key of made.keys()) if (!record.fills.has(key)) fail('V6', `trade ${key} was never booked`);
    for (const { id, symbol } of venue.exchange.markets) {
      const held = truth.position(id);
      if ((booked.get(symbol) ?? 0) !== held)
        fail('V5', `the fills in ${symbol} come to ${booked.get(symbol) ?? 0} lots, the position is ${held}`);
    }
  },
});
