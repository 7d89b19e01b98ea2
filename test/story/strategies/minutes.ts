// A market script with one price per minute.
import { type MarketScript, marketScript } from '../../../src/testing.ts';

/** Returns a market whose price is constant within each minute, so that each candle closes at it. */
export function minutes(prices: readonly number[], symbol = 'BTCUSDC'): MarketScript {
  const script = marketScript({ symbol });
  for (const [minute, price] of prices.entries()) script.price(`${minute}m`, price);
  return script.until(`${prices.length}m`);
}
