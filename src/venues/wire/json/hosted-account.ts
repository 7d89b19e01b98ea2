// The JSON replies of the hosted exchange about one account.
import { z } from 'zod';
import { id, maybe, page, side, time, u32 } from '../../../base/wire/shapes.ts';

const balance = z.object({ tokenId: u32, token: z.string(), amount: z.number() });

/** A position. `sizePricePnl` is the older name of `tradingPnl`, and means the same. */
const perpPosition = z
  .object({
    baseSize: z.number(),
    /** Average entry. */
    price: z.number(),
    isLong: z.boolean(),
    tradingPnl: maybe(z.number()),
    sizePricePnl: maybe(z.number()),
    fundingPaymentPnl: z.number(),
    updatedFundingRateIndex: z.number(),
  })
  .transform(({ sizePricePnl, ...rest }, context) => {
    const tradingPnl = rest.tradingPnl ?? sizePricePnl;
    if (tradingPnl !== undefined) return { ...rest, tradingPnl };
    context.issues.push({ code: 'custom', input: rest, message: 'no tradingPnl' });
    return z.NEVER;
  });

/** What the account has in one market. `perp` is absent in a spot market, and if there are only orders. */
const position = z.object({ marketId: u32, openOrders: u32, perp: maybe(perpPosition), actionId: id });

/** A resting order: `size` is what remains. */
export const openOrder = z.object({
  orderId: id,
  marketId: u32,
  side,
  price: z.number(),
  size: z.number(),
  originalOrderSize: z.number(),
  clientOrderId: maybe(id),
});

/** Amounts in USD, although the exchange calls some of them fractions; docs/glossary.md says what each is. */
const margins = z.object({
  omf: z.number(),
  mf: z.number(),
  imf: z.number(),
  cmf: z.number(),
  mmf: z.number(),
  pon: z.number(),
  pn: z.number(),
  bankruptcy: z.boolean(),
});

/** `GET /account/{account_id}`; 404 if there is none */
export const account = z.object({
  updateId: id,
  balances: z.array(balance),
  positions: z.array(position),
  orders: z.array(openOrder),
  margins,
});
export type AccountReply = z.output<typeof account>;

/** `GET /order/{order_id}`: a past or present order. The API document lists none of its fields; those that are `maybe` may be absent. */
export const orderInfo = z.object({
  orderId: id,
  marketId: u32,
  side,
  placedSize: z.number(),
  placedPrice: maybe(z.number()),
  filledSize: maybe(z.number()),
  fillMode: maybe(z.enum(['Limit', 'PostOnly', 'ImmediateOrCancel', 'FillOrKill'])),
  isReduceOnly: maybe(z.boolean()),
  /** Absent while the order rests. */
  finalizationReason: maybe(z.string()),
  placementOrigin: maybe(z.string()),
  addedAt: maybe(time),
  updatedAt: maybe(time),
  traderId: maybe(u32),
  tradeId: maybe(id),
  updateActionId: maybe(id),
  originalSizeLimit: maybe(z.number()),
  originalPriceLimit: maybe(z.number()),
  marketSymbol: maybe(z.string()),
  tokenSymbol: maybe(z.string()),
});
export type OrderInfo = z.output<typeof orderInfo>;

/** `GET /account/{account_id}/orders`: history, finished orders included */
export const ordersPage = page(orderInfo);
