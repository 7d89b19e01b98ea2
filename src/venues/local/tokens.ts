// Assigns ids to tokens: the process identifies coins by symbol only.
import type { TokenId } from '../../bot/domain/ids.ts';
import type { Token } from '../../bot/exchange/port.ts';
import type { LocalCoin, LocalMarket } from '../wire/json/local.ts';

/** The possible quote tokens of futures: the first one that is listed is used. */
export const QUOTES = ['USDC', 'USD', 'USDT'] as const;

/** An assumption: the process counts in whole tokens and does not report their decimals. */
const DECIMALS = 6;

/** Returns the base coin of a future: of BTC-PERP, BTC. */
export const underlyingOf = ({ name, underlying }: LocalMarket): string => underlying ?? name.replace(/-PERP$/, '');

/** Coins in the order in which the process lists them, then those that are traded or held without being listed. */
export class Tokens {
  readonly #all: Token[];

  constructor(coins: readonly LocalCoin[]) {
    this.#all = coins.map(({ id, collateralWeight = 0 }, tokenId) => ({
      tokenId,
      symbol: id,
      decimals: DECIMALS,
      weightBps: Math.round(collateralWeight * 10_000),
    }));
  }

  get all(): readonly Token[] {
    return this.#all;
  }

  idOf(symbol: string): TokenId {
    const known = this.#all.find((token) => token.symbol === symbol);
    if (known !== undefined) return known.tokenId;
    this.#all.push({ tokenId: this.#all.length, symbol, decimals: DECIMALS, weightBps: 0 }); // not collateral, as far as is known
    return this.#all.length - 1;
  }

  /** Returns the base and quote tokens of a market. */
  of(market: LocalMarket): { baseTokenId: TokenId; quoteTokenId: TokenId } {
    const usual = QUOTES.find((quote) => this.#all.some(({ symbol }) => symbol === quote)) ?? QUOTES[0];
    const [base = market.name, quote = usual] = market.type === 'future' ? [underlyingOf(market)] : market.name.split('/');
    return { baseTokenId: this.idOf(base), quoteTokenId: this.idOf(quote) };
  }
}
