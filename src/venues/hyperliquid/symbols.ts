// The names of markets: `BTCUSDC` is the perpetual of the coin BTC, so that one configuration serves every exchange.
import type { Market } from '../../bot/domain/market.ts';

export const QUOTE_SYMBOL = 'USDC';

export const symbolOf = (coin: string): string => `${coin}${QUOTE_SYMBOL}`;

/** The exchange's own name of a market. */
export const coinOf = ({ symbol }: Pick<Market, 'symbol'>): string => symbol.slice(0, -QUOTE_SYMBOL.length);
