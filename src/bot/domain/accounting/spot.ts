// The position of a spot market: the balance of its base token, in whole lots.
import { UserError } from '../../../base/errors.ts';
import type { Account, Balance, Position } from '../account.ts';
import { NO_ACTION, type TokenId } from '../ids.ts';
import type { Market } from '../market.ts';
import { micros } from '../numbers.ts';

/** The name of a token by its id, as in accounts. */
export type TokenName = (token: TokenId) => string;

/**
 * The account with one position for each spot market among `markets`: the balance of its base token, rounded down to whole lots. Balances of base and
 * quote tokens that the exchange omits are listed as 0. Returns the same object if there is no spot market. A position that the exchange itself lists
 * for a spot market is replaced.
 */
export function withSpotPositions(account: Account, markets: Iterable<Market>, nameOf: TokenName): Account {
  const spot = spotOf(markets);
  if (spot.length === 0) return account;
  const tokens = new Set(spot.flatMap(({ spec }) => [spec.baseTokenId, spec.quoteTokenId]));
  const missing = [...tokens].filter((token) => amountOf(account.balances, token) === undefined);
  const others = account.positions.filter(({ market }) => spot.every(({ id }) => id !== market));
  return {
    ...account,
    balances: [...account.balances, ...missing.map((tokenId) => ({ tokenId, token: nameOf(tokenId), amount: 0 }))],
    positions: [...others, ...spot.map((market) => positionOf(account, market))],
  };
}

function spotOf(markets: Iterable<Market>): readonly Market[] {
  const spot: Market[] = [];
  for (const market of markets) if (market.spec.kind === 'spot') spot.push(market);
  return spot;
}

/** Whole tokens; undefined if the token is not listed. */
const amountOf = (balances: readonly Balance[], token: TokenId): number | undefined =>
  balances.find(({ tokenId }) => tokenId === token)?.amount;

function positionOf({ balances }: Account, market: Market): Position {
  const size = market.wholeLots(amountOf(balances, market.spec.baseTokenId) ?? 0);
  return { market: market.id, size, tradingPnl: micros(0), fundingPaymentPnl: micros(0), actionId: NO_ACTION };
}

/**
 * Throws a UserError `market` if a trade in one spot market would change the position in another: if two share a base token, or one is priced in the
 * base token of the other. Positions, limits and profit could then not be distinguished.
 */
export function checkSpotMarkets(markets: readonly Market[]): void {
  const spot = markets.filter(({ spec }) => spec.kind === 'spot');
  for (const [index, one] of spot.entries()) {
    for (const other of spot.slice(index + 1)) {
      const shared = sharedBetween(one, other);
      if (shared === undefined) continue;
      throw new UserError({
        code: 'market',
        message: `${shared}: a trade in one changes the position in the other`,
        hint: 'trade them in two runs, each on an account of its own',
      });
    }
  }
}

function sharedBetween({ spec: one, symbol }: Market, { spec: other, symbol: otherSymbol }: Market): string | undefined {
  if (one.baseTokenId === other.baseTokenId) return `${symbol} and ${otherSymbol} share a base token`;
  if (one.baseTokenId === other.quoteTokenId) return `${otherSymbol} is priced in the base token of ${symbol}`;
  if (one.quoteTokenId === other.baseTokenId) return `${symbol} is priced in the base token of ${otherSymbol}`;
  return undefined;
}
