// The coins of the local API, and the integer units in which accounts count them.

import { badRequest, RefusedRequest } from '../../../../base/server/reply.ts';
import { suggestion } from '../../../../base/text/phrases.ts';
import type { Market } from '../../../../bot/domain/market.ts';
import { lots, type Micros, micros, toDecimal, toMicros } from '../../../../bot/domain/numbers.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import { type ListedToken, QUOTE } from '../../../exchange/state/listing.ts';

export interface Coin {
  readonly token: ListedToken;
  /** The spot market that defines its unit and its price. */
  readonly spot?: Market | undefined;
  /** True if an account can own the coin. */
  readonly canBeOwned: boolean;
}

export const coinsOf = ({ tokens, markets }: Exchange): readonly Coin[] =>
  tokens.map((token) => {
    const spot = markets.find(({ spec }) => spec.kind === 'spot' && spec.baseTokenId === token.tokenId);
    return { token, spot, canBeOwned: token.tokenId === QUOTE || spot !== undefined };
  });

/** Returns the coin that a client named, which must be one that can be owned. */
export function findCoin(coins: readonly Coin[], symbol: string): Coin {
  const coin = coins.find(({ token }) => token.symbol === symbol);
  const symbols = coins.filter(({ canBeOwned }) => canBeOwned).map(({ token }) => token.symbol);
  if (coin === undefined) throw new RefusedRequest(404, { message: `unknown coin "${symbol}": ${suggestion(symbol, symbols)}` });
  if (!coin.canBeOwned) throw badRequest(`${symbol} is traded only as a future here; coins that can be owned: ${symbols.join(', ')}`);
  return coin;
}

/** Converts a size in whole coins to the account's integer unit. Throws 400 instead of rounding. */
export function amountIn(coin: Coin, size: number): number {
  const amount = coin.spot === undefined ? exactMicros(size) : coin.spot.lotsOf(size);
  if (amount === undefined || amount === 0)
    throw badRequest(`size ${size} is not a multiple of ${coinsFrom(coin, 1)} ${coin.token.symbol}`);
  return amount;
}

/** Converts an amount in the account's integer unit to whole coins. */
export const coinsFrom = ({ spot }: Coin, amount: number): number =>
  spot === undefined ? toDecimal(micros(amount)) : spot.size(lots(amount));

function exactMicros(size: number): Micros | undefined {
  const amount = toMicros(size);
  return amount !== undefined && toDecimal(amount) === size ? amount : undefined;
}
