// The JSON of the local signing process: its envelope, its markets and their history; the fields that each must have, and its type. That of accounts is in
// `local-account.ts`. The types are what the code reads; a shape's `z.input` has also the other forms that servers send.
import { z } from 'zod';
import { flag, levels, maybe, time } from '../../../base/wire/shapes.ts';
import { date, decimal, lenient, tradeSide } from './local-shapes.ts';

export { readAs } from '../../../base/wire/shapes.ts';
export * from './local-account.ts';
export type { TradeSide } from './local-shapes.ts';

/** The envelope of every answer that is no error. `hasMoreData`: only of histories, and not from every server. */
export const envelope = z.object({ success: z.literal(true), result: z.unknown(), hasMoreData: lenient(z.boolean()) });

/** `GET /markets/{market_name}`, and an item of `GET /markets`. Prices are absent without a book, or without a mark price. */
export const localMarket = z.object({
  /** `BTC-PERP`, or base/quote. */
  name: z.string(),
  type: z.enum(['future', 'spot']),
  underlying: maybe(z.string()),
  enabled: z.boolean(),
  ask: maybe(decimal),
  bid: maybe(decimal),
  price: maybe(decimal),
});
export type LocalMarket = z.output<typeof localMarket>;
export const localMarkets = z.array(localMarket);

/** `GET /markets/{market_name}/orderbook`, in whatever order the server sends the levels. */
export const localOrderbook = z.object({ asks: levels, bids: levels });
export type LocalOrderbook = z.output<typeof localOrderbook>;

const DAY = 86_400;
const SHORT_RESOLUTIONS: readonly number[] = [15, 60, 300, 900, 3_600, 14_400];
const MAX_DAYS = 30;

/** True for the lengths in seconds that a candle can have. */
export const isCandleResolution = (seconds: number): boolean =>
  SHORT_RESOLUTIONS.includes(seconds) || (seconds > 0 && seconds % DAY === 0 && seconds <= MAX_DAYS * DAY);

/** These lengths as text for a person, in seconds. */
export const CANDLE_RESOLUTIONS = `${[...SHORT_RESOLUTIONS, DAY].join(', ')}, or a multiple of ${DAY} up to ${MAX_DAYS} times that`;

/** A candle of the mark price, which begins at `startTime`. */
const candle = z.object({ startTime: time, open: decimal, close: decimal, high: decimal, low: decimal });
export type LocalCandle = z.output<typeof candle>;
/** `GET /markets/{market_name}/candles` */
export const candles = z.array(candle);

/** `side` is the taker's. */
const localTrade = z.object({
  price: decimal,
  side: tradeSide,
  size: decimal,
  time,
  liquidation: flag,
  status: maybe(z.string()),
  type: maybe(z.string()),
});
export type LocalTrade = z.output<typeof localTrade>;
/** `GET /markets/{market_name}/trades` */
export const localTrades = z.array(localTrade);

const coin = z.object({
  /** Its symbol. */
  id: z.string(),
  mint: z.string(),
  canDeposit: flag,
  canWithdraw: flag,
  canConvert: flag,
  collateral: flag,
  /** 1 is 100 %. */
  collateralWeight: maybe(decimal),
});
export type LocalCoin = z.output<typeof coin>;
/** `GET /wallet/coins` */
export const coins = z.array(coin);

const fundingRate = z.object({ date, fundingIndex: maybe(decimal), fundingCollected: maybe(decimal) });
export type FundingRate = z.output<typeof fundingRate>;
/** `GET /funding_rates` */
export const fundingRates = z.array(fundingRate);
