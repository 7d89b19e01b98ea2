// A market in minutes: one price a minute, from which the candles of the bot follow.
import { type MarketScript, marketScript } from '../../../src/testing.ts';

/** The price of each minute holds from its beginning to its end, so each candle closes at it. */
export function minutes(prices: readonly number[], symbol = 'BTCUSDC'): MarketScript {
  const script = marketScript({ symbol });
  for (const [minute, price] of prices.entries()) script.price(`${minute}m`, price);
  return script.until(`${prices.length}m`);
}
