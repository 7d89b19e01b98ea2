// What the answers of the Hyperliquid API share: the exchange, its perpetuals by asset and coin, the users, and the texts of numbers.
import type { AccountId, MarketId } from '../../../bot/domain/ids.ts';
import { Market } from '../../../bot/domain/market.ts';
import { type Lots, lots, type Micros, toDecimal } from '../../../bot/domain/numbers.ts';
import type { Side } from '../../../bot/domain/side.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { CandlesWithPast } from '../../exchange/history/past.ts';
import type { AccountState } from '../../exchange/views.ts';
import type { ClientIds } from '../client-ids.ts';
import { requireKnown } from '../reply-values.ts';
import type { Keys } from './keys.ts';

export interface HyperliquidContext {
  readonly exchange: Exchange;
  /** The perpetuals with Hyperliquid's rules, by asset. */
  readonly perps: readonly Market[];
  readonly clientIds: ClientIds;
  readonly keys: Keys;
  /** Candles from before the exchange's start, by market. */
  readonly pasts: ReadonlyMap<MarketId, CandlesWithPast>;
}

/** A price has at most six decimals, less those of the size. */
const DECIMALS = 6;
const FIGURES = 5;

/** Quote tokens. */
const LEAST_VALUE = 10;

/** Returns the markets that the API can show, with Hyperliquid's rules: perpetuals whose tick and lot are those of Hyperliquid or coarser. */
export const perpsOf = ({ markets }: Exchange): readonly Market[] =>
  markets
    .filter(({ spec }) => spec.kind === 'perp' && (spec.sizeStep ?? 1) === 1 && spec.priceDecimals + spec.sizeDecimals <= DECIMALS)
    .map(({ spec }) => new Market({ ...spec, priceFigures: FIGURES, minNotional: LEAST_VALUE }));

export const perpWith = ({ perps }: Pick<HyperliquidContext, 'perps'>, id: MarketId): Market =>
  requireKnown(perps.find((market) => market.id === id));

export const coinOf = ({ exchange }: HyperliquidContext, market: Market): string =>
  requireKnown(exchange.tokens[market.spec.baseTokenId]).symbol;

export const marketOfCoin = (context: HyperliquidContext, coin: string): Market | undefined =>
  context.perps.find((market) => coinOf(context, market) === coin);

/** Returns the account of an address; undefined before its first action. */
export function accountOf({ exchange }: HyperliquidContext, address: string): { id: AccountId; state: AccountState } | undefined {
  const [id] = exchange.accountsOf(address.toLowerCase());
  return id === undefined ? undefined : { id, state: requireKnown(exchange.account(id)) };
}

/** `B` buys, `A` sells. */
export const sideLetter = (side: Side): 'A' | 'B' => (side === 'bid' ? 'B' : 'A');

export const moneyText = (amount: Micros): string => plain(toDecimal(amount));
export const sizeText = (market: Market, size: Lots): string => market.sizeText(lots(Math.abs(size)));

/** Returns a decimal without exponent, with at most eight decimals. */
export const plain = (value: number): string => value.toFixed(8).replace(/\.?0+$/, '');
