// The JSON replies of the hosted exchange, and the frames of its websocket as far as they are read: the fields that each must have, and its type. Those of one
// account are in `hosted-account.ts`. The types are what the code reads; a shape's `z.input` is what may be on the wire, which is more.
import { z } from 'zod';
import { flag, id, levels, maybe, page, readAs, side, time, u32 } from '../../../base/wire/shapes.ts';

export { readAs } from '../../../base/wire/shapes.ts';
export * from './hosted-account.ts';

/** A market of `GET /info`. Margin fractions: 0.05 is 5 %. */
const marketInfo = z.object({
  marketId: u32,
  symbol: z.string(),
  baseTokenId: u32,
  quoteTokenId: u32,
  priceDecimals: z.number().int().min(0).max(18),
  sizeDecimals: z.number().int().min(0).max(18),
  imf: z.number().min(0),
  cmf: z.number().min(0),
  mmf: z.number().min(0),
});
export type MarketInfo = z.output<typeof marketInfo>;

const tokenInfo = z.object({
  tokenId: u32,
  symbol: z.string(),
  decimals: z.number().int().min(0).max(255),
  mintAddr: z.string(),
  /** 10000 is 100 %. */
  weightBps: u32,
});

/** `GET /info` */
export const info = z.object({ markets: z.array(marketInfo), tokens: z.array(tokenInfo) });
export type Info = z.output<typeof info>;

const summary = z.object({ sum: z.number(), count: z.number() });

/** `GET /market/{market_id}/orderbook`: bids from the highest price, asks from the lowest. */
export const orderbook = z.object({ updateId: id, bids: levels, asks: levels, bidsSummary: maybe(summary), asksSummary: maybe(summary) });
export type Orderbook = z.output<typeof orderbook>;

const perpStats = z.object({
  mark_price: maybe(z.number()),
  /** A fraction an hour. */
  funding_rate: maybe(z.number()),
  next_funding_time: maybe(time),
  /** Base units. */
  open_interest: maybe(z.number()),
  aggregated_funding_index: maybe(z.number()),
});

/** `GET /market/{id}/stats`. Everything that a new market can lack may be null; `perpStats` is null for a spot market. */
export const marketStats = z.object({
  indexPrice: maybe(z.number()),
  indexPriceConf: maybe(z.number()),
  frozen: flag,
  volumeBase24h: maybe(z.number()),
  volumeQuote24h: maybe(z.number()),
  high24h: maybe(z.number()),
  low24h: maybe(z.number()),
  close24h: maybe(z.number()),
  prevClose24h: maybe(z.number()),
  perpStats: maybe(perpStats),
});
export type HostedMarketStats = z.output<typeof marketStats>;

/** The fields that only a perpetual has. */
const perpetual = {
  markPrice: maybe(z.number()),
  /** A fraction an hour; null right after funding was paid. */
  projectedFundingRate: maybe(z.number()),
  fundingRate: maybe(z.number()),
  nextFundingTime: maybe(time),
  /** Base units. */
  openInterest: maybe(z.number()),
};

/** A row of `GET /markets/live`; some servers put the perpetual's own fields one level down, or shorten the funding rate's name. */
const marketLiveInfo = z
  .object({
    marketId: u32,
    indexPrice: maybe(z.number()),
    indexPriceConf: maybe(z.number()),
    frozen: flag,
    ...perpetual,
    perpetuals: maybe(z.object(perpetual)),
  })
  .transform(({ perpetuals: nested, fundingRate, ...flat }) => ({
    ...flat,
    markPrice: flat.markPrice ?? nested?.markPrice,
    projectedFundingRate: flat.projectedFundingRate ?? fundingRate ?? nested?.projectedFundingRate ?? nested?.fundingRate,
    nextFundingTime: flat.nextFundingTime ?? nested?.nextFundingTime,
    openInterest: flat.openInterest ?? nested?.openInterest,
  }));
export type MarketLiveInfo = z.output<typeof marketLiveInfo>;

/** `GET /markets/live` */
export const marketsLive = z.object({ markets: z.array(marketLiveInfo) });

/** A trade; `orderId` is the maker's order, fees are in quote and absent on older trades. */
export const trade = z.object({
  time,
  actionId: id,
  tradeId: id,
  takerId: u32,
  takerSide: side,
  makerId: u32,
  marketId: u32,
  orderId: id,
  price: z.number(),
  baseSize: z.number(),
  makerFee: maybe(z.number()),
  takerFee: maybe(z.number()),
});
export type ListedTrade = z.output<typeof trade>;

/** `GET /trades`, newest first */
export const tradesPage = page(trade);

const session = z.object({ pubkey: z.string(), expiry: time });
const sessionList = z.array(session.extend({ sessionId: maybe(id).catch(undefined) }));
const sessionMap = z
  .record(z.string(), session)
  .transform((map): z.input<typeof sessionList> => Object.entries(map).map(([sessionId, rest]) => ({ ...rest, sessionId })))
  .pipe(sessionList);

/** `GET /user/{pubkey}`; 404 if the key has no accounts. Sessions come as a map from their id, or as a list. */
export const user = z.object({
  accountIds: z.array(u32),
  sessions: z
    .union([sessionList, sessionMap])
    .nullish()
    .transform((sessions) => sessions ?? []),
});
export type User = z.output<typeof user>;

/** Whole numbers of 10^-priceDecimals or 10^-sizeDecimals, exact, as decimal text. */
const mantissa = z.union([z.number().int(), z.string().regex(/^-?\d{1,20}$/)]).transform(String);

/** An item of `GET /accounts/liquidations/takes`: the backstop takes over the position of an account in distress. */
const takeAllInfo = z.object({
  time,
  actionId: id,
  takerAccountId: u32,
  takerSide: side,
  marketId: u32,
  settlementPrice: mantissa,
  baseSize: mantissa,
  makerAccountId: u32,
  bankruptcyPrice: mantissa,
});
export type TakeAllInfo = z.output<typeof takeAllInfo>;
export const takeAllInfos = z.array(takeAllInfo);

/** Older servers write fees in basis points instead of parts per million. */
const rates = z
  .union([
    z.object({ maker_fee_ppm: z.number(), taker_fee_ppm: z.number() }),
    z.object({ maker_fee_bps: z.number(), taker_fee_bps: z.number() }),
  ])
  .transform((fees) =>
    'maker_fee_ppm' in fees
      ? { makerFeePpm: fees.maker_fee_ppm, takerFeePpm: fees.taker_fee_ppm }
      : { makerFeePpm: fees.maker_fee_bps * 100, takerFeePpm: fees.taker_fee_bps * 100 },
  );

/** `GET /fee/brackets/info`: tiers 0 to 4 are standard, 5 to 9 discounted. */
export const feeBrackets = z.array(z.tuple([u32, rates]).transform(([tier, fees]) => ({ tier, ...fees })));
export type HostedFeeBracket = z.output<typeof feeBrackets>[number];

/** `GET /account/{id}/fee/tier`: the index of a bracket */
export const feeTier = u32;
/**
 * `GET /market/{marketId}/fees/{taker|maker}/{accountId}`: a fraction. Older servers write a charge as a negative number, and the sign is returned as they
 * write it. The bot does not read this: its fees are those of `feeBrackets` and `feeTier`, where a charge is positive.
 */
export const feeRate = z.number();
/** `GET /timestamp`: the engine's time; the unit must be inferred by the reader */
export const timestamp = z.number().positive();

/** Levels are pairs, or objects as in older clients of the exchange. */
const level = z.union([
  z.tuple([z.number(), z.number()]),
  z.object({ price: z.number(), size: z.number() }).transform(({ price, size }): [number, number] => [price, size]),
]);

/** The number of the update before this one, and of this one. */
const numbered = { last_update_id: id, update_id: id };

/** Changed levels: sizes are new totals, 0 for a level that is gone. */
const delta = z.object({ ...numbered, market_symbol: z.string(), asks: z.array(level), bids: z.array(level) });
export type DeltaFrame = z.output<typeof delta>;

/** Events of an account; used only as a sign that the account has changed. */
const accountFrame = z.object({ ...numbered, account_id: u32 });

export type StreamFrame =
  | { readonly kind: 'delta'; readonly delta: DeltaFrame }
  | { readonly kind: 'account'; readonly account: z.output<typeof accountFrame> };

const frameKinds = z.object({ delta: z.unknown().optional(), account: z.unknown().optional() });

/** Reads a frame; undefined if it is of another kind. Throws a `WireError` for an invalid frame. */
export function streamFrame(value: unknown): StreamFrame | undefined {
  const frame = readAs(frameKinds, value, 'a frame');
  if (frame.delta !== undefined) return { kind: 'delta', delta: readAs(delta, frame.delta, 'a delta frame') };
  if (frame.account !== undefined) return { kind: 'account', account: readAs(accountFrame, frame.account, 'an account frame') };
  return undefined;
}
