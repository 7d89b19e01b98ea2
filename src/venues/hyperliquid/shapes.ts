// The JSON of Hyperliquid's answers: what the bot reads of them. Further fields are ignored.
import { z } from 'zod';
import { maybe } from '../../base/wire/shapes.ts';

/** The documentation gives some amounts as text and as numbers. */
const decimal = z.union([z.string(), z.number()]).transform((value, context): number => {
  const number = value === '' ? Number.NaN : Number(value);
  if (Number.isFinite(number)) return number;
  context.issues.push({ code: 'custom', input: value, message: 'not a decimal' });
  return z.NEVER;
});
const time = z.number().int().min(0);
const side = z.enum(['A', 'B']);
/** Ids of orders and trades are below 2^53. */
const id = z.number().int().min(0).transform(String);

export const perp = z.object({
  name: z.string(),
  szDecimals: z.number().int().min(0),
  maxLeverage: z.number().int().min(1),
  isDelisted: maybe(z.boolean()),
  onlyIsolated: maybe(z.boolean()),
});
/** The answer about spot markets has a `universe`, too: where there are none, only its length differs. */
export const meta = z.object({ universe: z.array(perp).min(1) });
/** `tokens` of a pair are the indexes of its base and its quote token. */
export const spotMeta = z.object({
  tokens: z.array(z.object({ name: z.string(), szDecimals: z.number().int().min(0), weiDecimals: z.number().int().min(0), index: time })),
  universe: z.array(z.object({ name: z.string(), tokens: z.tuple([time, time]), index: time })),
});
export const mids = z.record(z.string(), decimal);
const assetContext = z.object({ funding: decimal, openInterest: decimal, oraclePx: decimal, markPx: decimal });
export const metaAndContexts = z.tuple([meta, z.array(assetContext)]);
export const status = z.object({ time });

const level = z.object({ px: decimal, sz: decimal });
export const book = z.object({ coin: z.string(), time, levels: z.tuple([z.array(level), z.array(level)]) });
export const trade = z.object({ coin: z.string(), side, px: decimal, sz: decimal, time, tid: id });
export const trades = z.array(trade);
export const candles = z.array(z.object({ s: z.string(), t: time, o: decimal, h: decimal, l: decimal, c: decimal, v: decimal }));

/** How an answer names an order. */
const named = { oid: id, cloid: maybe(z.string()) };
export const leverageInForce = z.object({ type: z.enum(['cross', 'isolated']), value: z.number().min(1) });

const position = z.object({
  coin: z.string(),
  szi: decimal,
  entryPx: maybe(decimal),
  leverage: leverageInForce,
  unrealizedPnl: decimal,
  cumFunding: z.object({ allTime: decimal }),
});
export const state = z.object({
  assetPositions: z.array(z.object({ position })),
  crossMarginSummary: z.object({ accountValue: decimal, totalMarginUsed: decimal, totalNtlPos: decimal }),
  crossMaintenanceMarginUsed: decimal,
  time,
});
export const spotState = z.object({ balances: z.array(z.object({ coin: z.string(), token: time, total: decimal })) });
export const order = z.object({ coin: z.string(), side, limitPx: decimal, sz: decimal, origSz: decimal, ...named });
export const orders = z.array(order);
export const fill = trade.extend({ ...named, crossed: z.boolean(), fee: decimal, feeToken: z.string() });
/** An order that was refused has a status that ends so. */
export const orderStatus = z.discriminatedUnion('status', [
  z.object({ status: z.literal('unknownOid') }),
  z.object({ status: z.literal('order'), order: z.object({ order: z.object(named), status: z.string(), statusTimestamp: time }) }),
]);
export const fills = z.array(fill);
export const fundings = z.array(z.object({ time, delta: z.object({ coin: z.string(), usdc: decimal }) }));
export const fees = z.object({ userCrossRate: decimal, userAddRate: decimal, userSpotCrossRate: decimal, userSpotAddRate: decimal });
export const role = z.discriminatedUnion('role', [
  z.object({ role: z.literal('agent'), data: z.object({ user: z.string().toLowerCase() }) }),
  z.object({ role: z.enum(['user', 'vault', 'subAccount', 'missing']) }),
]);
export const rateLimit = z.object({ nRequestsUsed: time, nRequestsCap: time });
export const agents = z.array(z.object({ name: z.string(), address: z.string().toLowerCase(), validUntil: time }));
export const abstraction = z.string();
export const leverage = z.object({ coin: z.string(), leverage: leverageInForce });

const failed = z.object({ error: z.string() });
const resting = z.object({ resting: z.object(named) });
const filled = z.object({ filled: z.object({ totalSz: decimal, avgPx: decimal, ...named }) });
const answerOf = <S extends z.ZodType>(statuses: S) =>
  z.union([z.object({ status: z.literal('err'), response: z.string() }), z.object({ status: z.literal('ok'), response: statuses })]);
/** The answer to an action without a result of its own. */
export const done = answerOf(z.object({ type: z.literal('default') }));
/** One action has one order or one cancel. */
export const placed = answerOf(
  z.object({ type: z.literal('order'), data: z.object({ statuses: z.tuple([z.union([failed, resting, filled])]) }) }),
);
export const cancelled = answerOf(
  z.object({ type: z.literal('cancel'), data: z.object({ statuses: z.tuple([z.union([failed, z.literal('success')])]) }) }),
);

/** A message of the websocket. */
export const pushed = z.object({ channel: z.string(), data: z.unknown().optional() });
export const pushedFills = z.object({ isSnapshot: maybe(z.boolean()), fills });
export const orderUpdates = z.array(z.object({ status: z.string() }));
