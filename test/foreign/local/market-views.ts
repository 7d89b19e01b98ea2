// Markets, books, trades, coins and funding, as the local process shows them.
import type { Trade } from '../deals.ts';
import type { Json } from '../json.ts';
import { type Listing, priceOf, sizeOf, TOKENS } from '../market.ts';
import type { Side } from '../numbering.ts';
import { timeText } from '../views.ts';
import { collectedBy, type FundingRate } from './funding.ts';
import type { House } from './house.ts';
import { nameOf, tradeSide, underlyingOf } from './names.ts';
import type { Rows } from './rows.ts';

export function marketInfo({ floor, settings }: House, listing: Listing): Json {
  const best = (side: Side): Json => {
    const top = floor.levels(listing, side)[0];
    return top === undefined || settings.badData.includes('nullPrices') ? null : priceOf(listing, top.price);
  };
  return {
    name: nameOf(listing),
    type: 'future',
    underlying: underlyingOf(listing),
    enabled: !settings.badData.includes('frozen'),
    ask: best('ask'),
    bid: best('bid'),
    price: settings.badData.includes('nullPrices') ? null : priceOf(listing, floor.indexOf(listing)),
  };
}

/** `depth` levels of each side, the best first. */
export function orderbook({ floor }: House, listing: Listing, depth: number): Json {
  const levels = (side: Side): Json =>
    floor
      .levels(listing, side)
      .slice(0, depth)
      .map(({ price, size }) => [priceOf(listing, price), sizeOf(listing, size)]);
  return { asks: levels('ask'), bids: levels('bid') };
}

export function tradeInfo({ listing, price, size, takerSide, time }: Trade, rows: Rows): Json {
  const at = timeText(time);
  const trade = { price: priceOf(listing, price), side: tradeSide(takerSide), size: sizeOf(listing, size), time: at };
  const more = { createdAt: at, future: nameOf(listing), market: nameOf(listing) };
  return { ...trade, liquidation: false, status: 'filled', type: 'market', ...(rows.pageNaN ? more : {}) };
}

export const coins = (): Json =>
  TOKENS.map(({ symbol, mintAddr, weightBps }) => ({
    id: symbol,
    mint: mintAddr,
    canDeposit: symbol === 'USDC',
    canWithdraw: symbol === 'USDC',
    canConvert: false,
    collateral: true,
    collateralWeight: weightBps / 10_000,
  }));

export const rateInfo = (rate: FundingRate): Json => ({
  date: timeText(rate.at),
  fundingIndex: rate.index,
  fundingCollected: collectedBy(rate),
});
