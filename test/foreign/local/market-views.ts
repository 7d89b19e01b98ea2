// Markets, books, trades, coins and funding in the JSON form of the local API.

import type { Json } from '../json.ts';
import { type Listing, priceOf, sizeOf, TOKENS } from '../market.ts';
import type { Side } from '../numbering.ts';
import type { Trade } from '../trading.ts';
import { timeText } from '../views.ts';
import type { Differences } from './differences.ts';
import { collectedFunding, type FundingRate } from './funding.ts';
import { nameOf, tradeSide, underlyingOf } from './market-names.ts';
import type { ProcessState } from './process-state.ts';

export function marketInfo({ engine, settings }: ProcessState, listing: Listing): Json {
  const best = (side: Side): Json => {
    const top = engine.levels(listing, side)[0];
    return top === undefined || settings.badData.includes('nullPrices') ? null : priceOf(listing, top.price);
  };
  return {
    name: nameOf(listing),
    type: 'future',
    underlying: underlyingOf(listing),
    enabled: !settings.badData.includes('frozen'),
    ask: best('ask'),
    bid: best('bid'),
    price: settings.badData.includes('nullPrices') ? null : priceOf(listing, engine.indexOf(listing)),
  };
}

/** Returns `depth` levels of each side, best price first. */
export function orderbook({ engine }: ProcessState, listing: Listing, depth: number): Json {
  const levels = (side: Side): Json =>
    engine
      .levels(listing, side)
      .slice(0, depth)
      .map(({ price, size }) => [priceOf(listing, price), sizeOf(listing, size)]);
  return { asks: levels('ask'), bids: levels('bid') };
}

export function tradeInfo({ listing, price, size, takerSide, time }: Trade, differences: Differences): Json {
  const at = timeText(time);
  const trade = { price: priceOf(listing, price), side: tradeSide(takerSide), size: sizeOf(listing, size), time: at };
  const more = { createdAt: at, future: nameOf(listing), market: nameOf(listing) };
  return { ...trade, liquidation: false, status: 'filled', type: 'market', ...(differences.pageNaN ? more : {}) };
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
  fundingCollected: collectedFunding(rate),
});
