// Converts the exchange's JSON of markets, books and trades into domain types; `venues/hosted/account-snapshot.ts` converts accounts.
// Throws for an invalid value, so that no partly valid answer is used.
import { type Book, type Level, opposite, type Side } from '../../bot/domain/book.ts';
import type { LiveInfo } from '../../bot/domain/event.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import { Market } from '../../bot/domain/market.ts';
import { type Ticks, ticks } from '../../bot/domain/numbers.ts';
import type { Fill, Trade } from '../../bot/domain/order.ts';
import type { VenueListing } from '../../bot/exchange/kit/venue-client.ts';
import { tradeIn } from '../shared/convert.ts';
import { invalidValue, moneyOf, positiveLotsOf, ticksNear, ticksOf } from '../shared/validate.ts';
import type { Info, ListedTrade, MarketLiveInfo, Orderbook } from '../wire/json/hosted.ts';

/** All markets that the exchange lists. */
export type Directory = ReadonlyMap<MarketId, Market>;

/** Returns the markets and tokens. The listing does not show kinds; all markets get `perp` until `market-kind.ts` determines those to trade. */
export const listingOf = ({ markets, tokens }: Info): VenueListing => ({
  markets: markets.map(({ marketId, ...terms }) => new Market({ ...terms, id: marketId, kind: 'perp' })),
  tokens: tokens.map(({ tokenId, symbol, decimals, weightBps }) => ({ tokenId, symbol, decimals, weightBps })),
});

export const directoryOf = (markets: readonly Market[]): Directory => new Map(markets.map((market) => [market.id, market]));

/** Accepts crossed and empty books, because they can occur. Throws if levels are out of order or off the tick. */
export function bookOf(market: Market, { updateId, bids, asks }: Orderbook): Book {
  return { market: market.id, updateId, bids: levelsOf(market, 'bid', bids), asks: levelsOf(market, 'ask', asks) };
}

function levelsOf(market: Market, side: Side, listed: Orderbook['bids']): readonly Level[] {
  let previous: Ticks | undefined;
  return listed.map(([listedPrice, listedSize]): Level => {
    const price = ticksOf(market, listedPrice);
    if (previous !== undefined && (side === 'bid' ? price >= previous : price <= previous))
      throw invalidValue(market, `${side}s that are not in order`);
    previous = price;
    return { price, size: positiveLotsOf(market, listedSize) };
  });
}

/** Returns one info for each of `markets`; null fields become absent. Prices need not be on the tick. */
export function infosOf(markets: readonly Market[], rows: readonly MarketLiveInfo[]): readonly LiveInfo[] {
  return markets.map((market) => {
    const row = rows.find(({ marketId }) => marketId === market.id);
    if (row === undefined) throw invalidValue(market, 'no live info');
    return infoOf(market, row);
  });
}

function infoOf(market: Market, { indexPrice, indexPriceConf, markPrice, frozen, ...row }: MarketLiveInfo): LiveInfo {
  const near = (price: number | undefined): Ticks | undefined => (price === undefined ? undefined : ticksNear(market, price));
  if (indexPriceConf !== undefined && indexPriceConf < 0) throw invalidValue(market, `a confidence of ${indexPriceConf}`);
  return {
    market: market.id,
    index: near(indexPrice),
    indexConf: indexPriceConf === undefined ? undefined : (market.ticksNear(indexPriceConf) ?? ticks(0)),
    mark: near(markPrice),
    frozen,
    fundingRate: row.projectedFundingRate,
    nextFunding: row.nextFundingTime === undefined ? undefined : Date.parse(row.nextFundingTime),
    openInterest: row.openInterest,
  };
}

export const tradeOf = ({ tradeId, marketId, takerSide, price, baseSize: size, time }: ListedTrade, markets: Directory): Trade =>
  tradeIn(marketIn(markets, marketId), { tradeId, takerSide, price, size, time: Date.parse(time) });

/** Returns a trade as the fill of an order of ours, which was its maker or its taker. */
export function fillOf(trade: ListedTrade, { role, markets }: { role: Fill['role']; markets: Directory }): Fill {
  const { takerSide, ...seen } = tradeOf(trade, markets);
  const fee = role === 'maker' ? trade.makerFee : trade.takerFee;
  return {
    ...seen,
    actionId: trade.actionId,
    orderId: trade.orderId,
    role,
    side: role === 'taker' ? takerSide : opposite(takerSide),
    ...(fee !== undefined && { fee: moneyOf(fee, 'a fee') }),
  };
}

/** Returns a listed market. Throws for one that was not listed at the start. */
export function marketIn(markets: Directory, id: MarketId): Market {
  const market = markets.get(id);
  if (market === undefined) throw new Error(`market ${id} was not listed when the run started`);
  return market;
}
