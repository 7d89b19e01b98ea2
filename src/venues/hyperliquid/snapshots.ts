// Converts Hyperliquid's JSON into domain types. Throws for an invalid value, so that no partly valid answer is used.
import type { z } from 'zod';
import { HOUR, type Millis } from '../../base/clock.ts';
import type { Book } from '../../bot/domain/book.ts';
import type { Candle } from '../../bot/domain/candle.ts';
import type { LiveInfo } from '../../bot/domain/event.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import { Market } from '../../bot/domain/market.ts';
import type { Fill, Trade } from '../../bot/domain/order.ts';
import type { VenueListing } from '../../bot/exchange/kit/venue-client.ts';
import { candleIn, convertListed, fillIn, tradeIn } from '../shared/convert.ts';
import { levelsOf, lotsOf, ticksNear } from '../shared/validate.ts';
import { DECIMALS, ORDER_TERMS, SPOT_ASSETS, sideOf } from '../wire/hyperliquid/terms.ts';
import type * as shapes from './shapes.ts';

// The names of markets, as on the other exchanges: `BTCUSDC` is the perpetual of the coin BTC, `HYPEUSDC-SPOT` the spot market of the token HYPE.

const QUOTE_SYMBOL = 'USDC';
const SPOT_SUFFIX = '-SPOT';

export const perpSymbol = (coin: string): string => `${coin}${QUOTE_SYMBOL}`;
const spotSymbol = (token: string): string => `${token}${QUOTE_SYMBOL}${SPOT_SUFFIX}`;

/** The exchange's own name of a spot market: a number, except for the first one. */
const spotCoin = (number: number): string => (number === 0 ? 'PURR/USDC' : `@${number}`);

/** The exchange's own name of a market. */
export const coinOf = ({ id, symbol, spec }: Pick<Market, 'id' | 'symbol' | 'spec'>): string =>
  spec.kind === 'spot' ? spotCoin(id - SPOT_ASSETS) : symbol.slice(0, -QUOTE_SYMBOL.length);

/** The token that a spot market trades. */
const baseSymbolOf = ({ symbol }: Pick<Market, 'symbol'>): string => symbol.slice(0, -(QUOTE_SYMBOL.length + SPOT_SUFFIX.length));

/** Converts the rows of these markets, and leaves out all others. */
export const inMarkets = <R extends { readonly coin: string }, T>(
  markets: readonly Market[],
  rows: readonly R[],
  convert: (market: Market, row: R) => T,
): readonly T[] => convertListed(rows, ({ coin }) => markets.find((market) => coinOf(market) === coin), convert);

type Json<S extends z.ZodType> = z.output<S>;

/** The margin of perpetuals, and the quote token of spot: balances that are apart. */
export const QUOTE = { tokenId: 0, symbol: QUOTE_SYMBOL, decimals: 6, weightBps: 10_000 };
export const SPOT_QUOTE = { tokenId: SPOT_ASSETS, symbol: QUOTE_SYMBOL, decimals: 8, weightBps: 0 };

/**
 * The perpetuals of the first dex that have cross margin, and the spot markets in USDC. A market's id is its asset, which a delisted one keeps. Of two
 * spot markets of one name the first counts.
 */
export function listingOf({ universe }: Json<typeof shapes.meta>, spot: Json<typeof shapes.spotMeta>): VenueListing {
  const perps = universe.flatMap(({ isDelisted, onlyIsolated, ...row }, id) => (isDelisted || onlyIsolated ? [] : [perpOf(row, id)]));
  const spots = new Map<string, Market>();
  for (const pair of spot.universe) {
    const market = spotOf(pair, spot.tokens);
    if (market !== undefined && !spots.has(market.symbol)) spots.set(market.symbol, market);
  }
  const markets = [...perps, ...spots.values()];
  const bases = markets.map((market) => ({
    tokenId: market.spec.baseTokenId,
    symbol: market.spec.kind === 'spot' ? baseSymbolOf(market) : coinOf(market),
    decimals: market.spec.sizeDecimals,
    weightBps: 0,
  }));
  return { markets, tokens: [QUOTE, SPOT_QUOTE, ...bases] };
}

/** Undefined if the quote token is not USDC, or if the pair has another name than those that are known. Balances are finer than orders. */
function spotOf(
  { name, tokens: [base, quote], index }: Json<typeof shapes.spotMeta>['universe'][number],
  tokens: Json<typeof shapes.spotMeta>['tokens'],
): Market | undefined {
  const token = tokens.find((row) => row.index === base);
  if (token === undefined || quote !== 0 || name !== spotCoin(index) || token.weiDecimals < token.szDecimals) return undefined;
  return new Market({
    id: SPOT_ASSETS + index,
    symbol: spotSymbol(token.name),
    kind: 'spot',
    baseTokenId: SPOT_ASSETS + base,
    quoteTokenId: SPOT_QUOTE.tokenId,
    priceDecimals: Math.max(0, DECIMALS.spot - token.szDecimals),
    sizeDecimals: token.weiDecimals,
    orderLots: 10 ** (token.weiDecimals - token.szDecimals),
    buyFee: 'base',
    ...ORDER_TERMS,
    imf: 1,
    mmf: 0.5,
  });
}

/** The initial margin is that of the highest leverage; the account's own may be lower, see `withLeverage`. Maintenance margin is half of it. */
function perpOf(
  { name, szDecimals, maxLeverage }: Pick<Json<typeof shapes.perp>, 'name' | 'szDecimals' | 'maxLeverage'>,
  id: MarketId,
): Market {
  return new Market({
    id,
    symbol: perpSymbol(name),
    kind: 'perp',
    baseTokenId: id + 1,
    quoteTokenId: QUOTE.tokenId,
    priceDecimals: DECIMALS.perp - szDecimals,
    sizeDecimals: szDecimals,
    ...ORDER_TERMS,
    imf: 1 / maxLeverage,
    mmf: 1 / (2 * maxLeverage),
  });
}

/** Returns the market with the initial margin of the leverage that the account has set. */
export const withLeverage = ({ spec }: Market, leverage: number): Market => new Market({ ...spec, imf: 1 / leverage });

export function bookOf(market: Market, { time, levels: [bids, asks] }: Json<typeof shapes.book>): Book {
  const pairs = (side: typeof bids) => side.map(({ px, sz }) => [px, sz] as const);
  return { market: market.id, updateId: String(time), bids: levelsOf(market, pairs(bids)), asks: levelsOf(market, pairs(asks)) };
}

/** Funding is paid at each full hour. */
export function infosOf(
  markets: readonly Market[],
  [{ universe }, contexts]: Json<typeof shapes.metaAndContexts>,
  now: Millis,
): readonly LiveInfo[] {
  return markets.map((market): LiveInfo => {
    const [row, context] = [universe[market.id], contexts[market.id]];
    if (row?.name !== coinOf(market) || context === undefined) throw new Error(`no prices of ${market.symbol}`);
    return {
      market: market.id,
      index: ticksNear(market, context.oraclePx),
      mark: ticksNear(market, context.markPx),
      frozen: row.isDelisted ?? false,
      fundingRate: context.funding,
      nextFunding: now - (now % HOUR) + HOUR,
      openInterest: context.openInterest,
    };
  });
}

/** A spot market has no index price: the middle of its book counts as one. It is unknown without bids or asks. */
export const spotInfosOf = (markets: readonly Market[], mids: Json<typeof shapes.mids>): readonly LiveInfo[] =>
  markets.map((market): LiveInfo => {
    const mid = mids[coinOf(market)];
    const price = mid === undefined ? undefined : ticksNear(market, mid);
    return { market: market.id, index: price, mark: price, frozen: false };
  });

/** A trade's id is unique for its time and market only. */
export const tradeOf = (market: Market, { side, px: price, sz: size, time, tid }: Json<typeof shapes.trade>): Trade =>
  tradeIn(market, { tradeId: `${time}-${tid}`, takerSide: sideOf(side), price, size, time });

/** The side is that of our order. */
export function fillOf(market: Market, { oid: orderId, crossed, fee, feeToken, cloid, ...row }: Json<typeof shapes.fill>): Fill {
  const isFeeInBase = market.spec.kind === 'spot' && feeToken === baseSymbolOf(market);
  if (!isFeeInBase && feeToken !== QUOTE_SYMBOL) throw new Error(`market ${market.symbol}: a fee in ${feeToken}`);
  const fill = fillIn(market, tradeOf(market, row), { orderId, role: crossed ? 'taker' : 'maker', fee, isFeeInBase });
  return { ...fill, ...clientOrderIdIn(cloid) };
}

/** Returns the candles that have ended before `until`, oldest first. */
export const candlesOf = (
  market: Market,
  rows: Json<typeof shapes.candles>,
  { span, until }: { span: Millis; until: Millis },
): readonly Candle[] =>
  rows
    .filter(({ t }) => t + span <= until)
    .map(({ t: start, o: open, h: high, l: low, c: close, v }) => ({
      ...candleIn(market, { start, open, high, low, close }),
      volume: lotsOf(market, v),
    }));

/** `tickwrig`, so that our orders differ from those of other programs. */
const PREFIX = '0x7469636b77726967';

/** Returns the cloid of our client order id, which is a number of 64 bits. */
export const cloidOf = (clientOrderId: string): string => `${PREFIX}${BigInt(clientOrderId).toString(16).padStart(16, '0')}`;

/** Returns nothing for the cloid of another program. */
export const clientOrderIdIn = (cloid: string | undefined): Pick<Fill, 'clientOrderId'> =>
  cloid?.toLowerCase().startsWith(PREFIX) ? { clientOrderId: BigInt(`0x${cloid.slice(PREFIX.length)}`).toString() } : {};
