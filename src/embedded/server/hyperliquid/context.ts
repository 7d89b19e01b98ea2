// What the answers of the Hyperliquid API share: the exchange, its markets by asset and coin, the users, and the texts of numbers.

import type { AccountId, MarketId } from '../../../bot/domain/ids.ts';
import { Market, type MarketKind } from '../../../bot/domain/market.ts';
import { type Micros, toDecimal } from '../../../bot/domain/numbers.ts';
import { DECIMALS, ORDER_TERMS, SPOT_ASSETS } from '../../../venues/wire/hyperliquid/terms.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { CandlesWithPast } from '../../exchange/history/past.ts';
import type { ShownAccountState } from '../../exchange/views.ts';
import type { ClientIds } from '../client-ids.ts';
import { requireKnown } from '../reply-values.ts';
import type { Quota } from './quota.ts';
import type { SigningRights } from './signing-rights.ts';

export interface HyperliquidContext {
  readonly exchange: Exchange;
  /** The perpetuals with Hyperliquid's rules, by asset. */
  readonly perps: readonly Market[];
  /** The spot markets, by the number in their name: `@1` is the first. */
  readonly spots: readonly Market[];
  readonly clientIds: ClientIds;
  readonly signingRights: SigningRights;
  readonly quota: Quota;
  /** Candles from before the exchange's start, by market. */
  readonly pasts: ReadonlyMap<MarketId, CandlesWithPast>;
}

/**
 * Returns the markets that the API can show, with Hyperliquid's rules: their ticks and lots must not be finer than Hyperliquid's, and a spot market must take
 * the fee of a purchase in base tokens.
 */
export function marketsOf({ markets }: Exchange): Pick<HyperliquidContext, 'perps' | 'spots'> {
  const shown = markets.filter(
    ({ orderDecimals, spec: { kind, buyFee, priceDecimals, sizeStep = 1 } }) =>
      sizeStep === 1 && priceDecimals + orderDecimals <= DECIMALS[kind] && (kind === 'perp' || buyFee === 'base'),
  );
  const ofKind = (kind: MarketKind) =>
    shown.filter(({ spec }) => spec.kind === kind).map(({ spec }) => new Market({ ...spec, ...ORDER_TERMS }));
  return { perps: ofKind('perp'), spots: ofKind('spot') };
}

type Markets = Pick<HyperliquidContext, 'perps' | 'spots'>;

export const allMarkets = ({ perps, spots }: Markets): readonly Market[] => [...perps, ...spots];

/** Throws for a market that the API does not show. */
export const marketWith = (context: Markets, id: MarketId): Market => requireKnown(allMarkets(context).find((market) => market.id === id));

export const isShown = (context: Markets, id: MarketId): boolean => allMarkets(context).some((market) => market.id === id);

export const marketOfAsset = ({ perps, spots }: Markets, asset: number): Market | undefined =>
  asset < SPOT_ASSETS ? perps[asset] : spots[asset - SPOT_ASSETS - 1];

export const tokenOf = ({ exchange }: HyperliquidContext, { spec }: Market): string =>
  requireKnown(exchange.tokens[spec.baseTokenId]).symbol;

/** The place of a spot market's token in the list of tokens, in which USDC is the first. */
export const tokenIndex = ({ spots }: Markets, market: Market): number => spots.indexOf(market) + 1;

/** `BTC` for a perpetual, `@1` for the first spot market. */
export const coinOf = (context: HyperliquidContext, market: Market): string =>
  market.spec.kind === 'perp' ? tokenOf(context, market) : `@${context.spots.indexOf(market) + 1}`;

export const marketOfCoin = (context: HyperliquidContext, coin: string): Market | undefined =>
  allMarkets(context).find((market) => coinOf(context, market) === coin);

/** Returns an account of an address; undefined before its first action. Perpetuals and spot are two accounts: their money is apart. */
export const accountIdOf = (context: HyperliquidContext, address: string, kind: MarketKind = 'perp'): AccountId | undefined =>
  accountsOf(context, address)[kind === 'perp' ? 0 : 1];

/** Returns an account with its state. */
export function accountOf(
  context: HyperliquidContext,
  address: string,
  kind: MarketKind,
): { id: AccountId; state: ShownAccountState } | undefined {
  const id = accountIdOf(context, address, kind);
  return id === undefined ? undefined : { id, state: requireKnown(context.exchange.account(id)) };
}

/** All accounts of an address. */
export const accountsOf = ({ exchange }: HyperliquidContext, address: string): readonly AccountId[] =>
  exchange.accountsOf(address.toLowerCase());

export const moneyText = (amount: Micros): string => plain(toDecimal(amount));

/** Returns a decimal without exponent, with at most eight decimals. */
export const plain = (value: number): string => value.toFixed(8).replace(/\.?0+$/, '');
