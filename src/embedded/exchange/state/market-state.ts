// The state of one market: its book, the owners of its resting orders, its prices, funding and statistics.

import { Ring } from '../../../base/collections/recent.ts';
import { TransientMap } from '../../../base/collections/transient-map.ts';
import { assert } from '../../../base/errors.ts';
import type { Side } from '../../../bot/domain/book.ts';
import type { AccountId } from '../../../bot/domain/ids.ts';
import { MAX_DECIMALS, Market } from '../../../bot/domain/market.ts';
import { type Lots, lots, type Ticks, ticks } from '../../../bot/domain/numbers.ts';
import type { Handle } from '../book/ladder.ts';
import type { MarketBook } from '../book/market-book.ts';
import { MarkCandles } from '../history/mark-candles.ts';
import { Statistics } from '../history/statistics.ts';
import { Funding, type FundingHour, type FundingTerms } from './funding.ts';
import type { ListedMarket } from './listing.ts';
import type { LiveOrder } from './orders.ts';
import { ExchangePrices } from './prices.ts';

/** Maximum quote value of one account's position in a market, at its first price, so that every sum is a safe integer. */
const MAX_POSITION_NOTIONAL = 500e6;
/** Maximum size of one account's position in a market whose lots are worth very little, so that sums of sizes are exact. */
const MAX_LOTS = 2 ** 50;

const FUNDING_HOURS = 1_000;

export interface MarketState {
  readonly market: Market;
  readonly book: MarketBook;
  /** The resting orders, by their handles in the book. */
  readonly resting: TransientMap<Handle, LiveOrder>;
  readonly prices: ExchangePrices;
  /** Candles of the mark price. */
  readonly candles: MarkCandles;
  readonly funding: Funding;
  readonly terms: FundingTerms;
  readonly fundingHours: Ring<FundingHour>;
  readonly statistics: Statistics;
  /** The largest size of an order, and of a position if every order fills. */
  readonly sizeLimit: Lots;
  frozen: boolean;
  /** The id of the account of a recording's traders; undefined in a market of traders. */
  recordedTraders: AccountId | undefined;
  /** A pinned index, which overrides other sources. */
  pinned: Ticks | undefined;
  /** The sum of all long positions, which equals that of all short ones. */
  openInterest: Lots;
  /** The action that changed the book last. */
  bookAction: number;
  /** Number of changes of the book by a recording, which are not actions. */
  bookChanges: number;
}

/** The parts of a market's source that its state begins with. */
export interface MarketStart {
  readonly book: MarketBook;
  readonly terms: FundingTerms;
  /** Half-width of the oracle's confidence interval at the start, as a fraction of the index; undefined if there is no oracle. */
  readonly confidence?: number | undefined;
}

/** Returns the state of a market at its base price. Throws an AssertionError for invalid terms. */
export function openMarketState({ spec, basePrice }: ListedMarket, { book, terms, confidence }: MarketStart): MarketState {
  const market = new Market(spec);
  const index = market.ticksNear(basePrice);
  assert(index !== undefined, `market ${spec.symbol}: no price can start at ${basePrice}`);
  assert(
    spec.priceDecimals + market.orderDecimals <= MAX_DECIMALS,
    `market ${spec.symbol}: more than ${MAX_DECIMALS} decimals of price and of an order's size together`,
  );
  assert(spec.cmf !== undefined && spec.imf > spec.cmf && spec.cmf > spec.mmf, `market ${spec.symbol}: imf, cmf and mmf do not descend`);
  return {
    market,
    book,
    resting: new TransientMap(),
    prices: new ExchangePrices(index, confidence === undefined ? undefined : ticks(Math.max(1, Math.round(index * confidence)))),
    candles: new MarkCandles(),
    funding: new Funding(market),
    terms,
    fundingHours: new Ring(FUNDING_HOURS),
    statistics: new Statistics(),
    sizeLimit: market.lots(Math.min(MAX_POSITION_NOTIONAL / basePrice, market.size(lots(MAX_LOTS)))),
    frozen: false,
    recordedTraders: undefined,
    pinned: undefined,
    openInterest: lots(0),
    bookAction: 0,
    bookChanges: 0,
  };
}

/** Returns the mid of best bid and best ask; undefined if one is missing. */
export function mid({ book }: MarketState): number | undefined {
  const [bid, ask] = [book.best('bid'), book.best('ask')];
  return bid === undefined || ask === undefined ? undefined : (bid + ask) / 2;
}

/** The allowed prices of an order as factors of the index: a bid up to 20 % above it, an ask from 20 % below it to ten times it. */
const BAND = { bid: { low: 0, high: 1.2 }, ask: { low: 0.8, high: 10 } };

/** Returns the prices at which an order of a side may be placed now. */
export function band(marketState: MarketState, side: Side): { low: Ticks; high: Ticks } {
  const { index } = marketState.prices;
  return { low: Math.max(1, Math.ceil(index * BAND[side].low)) as Ticks, high: Math.floor(index * BAND[side].high) as Ticks };
}
