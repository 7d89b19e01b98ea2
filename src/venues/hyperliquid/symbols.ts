// The names of markets, as on the other exchanges: `BTCUSDC` is the perpetual of the coin BTC, `HYPEUSDC-SPOT` the spot market of the token HYPE.
import type { MarketId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';

export const QUOTE_SYMBOL = 'USDC';
const SPOT_SUFFIX = '-SPOT';

/** The asset of a spot market is this and its number; a perpetual's is its place in the listing. */
export const SPOT_ASSETS: MarketId = 10_000;

export const perpSymbol = (coin: string): string => `${coin}${QUOTE_SYMBOL}`;
export const spotSymbol = (token: string): string => `${token}${QUOTE_SYMBOL}${SPOT_SUFFIX}`;

/** The exchange's own name of a spot market: a number, except for the first one. */
export const spotCoin = (number: number): string => (number === 0 ? 'PURR/USDC' : `@${number}`);

/** The exchange's own name of a market. */
export const coinOf = ({ id, symbol, spec }: Pick<Market, 'id' | 'symbol' | 'spec'>): string =>
  spec.kind === 'spot' ? spotCoin(id - SPOT_ASSETS) : symbol.slice(0, -QUOTE_SYMBOL.length);

/** The token that a spot market trades. */
export const baseOf = ({ symbol }: Pick<Market, 'symbol'>): string => symbol.slice(0, -(QUOTE_SYMBOL.length + SPOT_SUFFIX.length));

/** Returns the market of the exchange's own name; undefined if it is not among them. */
export const marketOfCoin = (markets: readonly Market[], coin: string): Market | undefined =>
  markets.find((market) => coinOf(market) === coin);
