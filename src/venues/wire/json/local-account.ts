// The JSON of the local signing process about the user's account: margins, positions, balances, orders, and the results of writes.
import { z } from 'zod';
import { flag, maybe, time } from '../../../base/wire/shapes.ts';
import { date, decimal, lenient, orderId, text, tradeSide, typeName } from './local-shapes.ts';

/** A position. Sizes are in base units, money in USD. `netSize` and `cost` are positive for a long, negative for a short. */
const localPosition = z.object({
  future: z.string(),
  netSize: decimal,
  size: decimal,
  side: tradeSide,
  cost: maybe(decimal),
  entryPrice: maybe(decimal),
  /** Margin fractions of the market: 0.1 is 10 %. */
  initialMarginRequirement: maybe(decimal),
  maintenanceMarginRequirement: maybe(decimal),
  openSize: maybe(decimal),
  longOrderSize: maybe(decimal),
  shortOrderSize: maybe(decimal),
  unrealizedPnl: maybe(decimal),
  collateralUsed: maybe(decimal),
});
export type LocalPosition = z.output<typeof localPosition>;
/** `GET /positions` */
export const localPositions = z.array(localPosition);

/** `GET /account`, in USD; the fractions are absent if there is no position to divide by. */
export const localAccount = z.object({
  backstopProvider: flag,
  collateral: decimal,
  freeCollateral: decimal,
  initialMarginRequirement: maybe(decimal),
  maintenanceMarginRequirement: maybe(decimal),
  liquidating: flag,
  makerFee: maybe(decimal),
  takerFee: maybe(decimal),
  marginFraction: maybe(decimal),
  openMarginFraction: maybe(decimal),
  totalAccountValue: decimal,
  totalPositionSize: decimal,
  username: text,
  leverage: maybe(decimal),
  positions: localPositions,
});
export type LocalAccount = z.output<typeof localAccount>;

/** A balance in whole tokens. `spotBorrow` is the debt, never negative, whichever sign the server writes. */
const localBalance = z.object({
  coin: z.string(),
  free: maybe(decimal),
  spotBorrow: maybe(decimal.transform(Math.abs)),
  total: decimal,
  usdValue: maybe(decimal),
  availableWithoutBorrow: maybe(decimal),
});
export type LocalBalance = z.output<typeof localBalance>;
/** `GET /wallet/balances` */
export const localBalances = z.array(localBalance);

const transfer = z.object({
  coin: z.string(),
  size: decimal,
  type: z.enum(['withdrawal', 'deposit']),
  status: maybe(z.string()),
  time,
});
export type Transfer = z.output<typeof transfer>;
/** `GET /wallet/transfers` */
export const transfers = z.array(transfer);

/** An open order, as listed by `GET /orders` and shown by `GET /orders/{order_id}`. Servers omit everything that is absent here. */
export const localOrder = z.object({
  id: orderId,
  market: z.string(),
  future: maybe(z.string()),
  type: maybe(typeName),
  side: tradeSide,
  /** Absent for a market order. */
  price: maybe(decimal),
  size: decimal,
  status: maybe(z.string()),
  createdAt: maybe(time),
  remainingSize: maybe(decimal),
  reduceOnly: maybe(z.boolean()),
  ioc: maybe(z.boolean()),
  postOnly: maybe(z.boolean()),
  clientId: maybe(text),
});
export type LocalOrder = z.output<typeof localOrder>;
export const localOrders = z.array(localOrder);

/** The id of a transaction, which has two spellings. */
const transaction = { txId: lenient(text), txid: lenient(text) };
const withTxId = <T extends { txId?: string | undefined; txid?: string | undefined }>({ txid, ...rest }: T) => ({
  ...rest,
  txId: rest.txId ?? txid,
});

/** `DELETE /positions/{market_name}` */
export const closing = z.object(transaction).transform(withTxId);
export type PositionClosing = z.output<typeof closing>;

/** `/wallet/deposits` and `/wallet/withdrawals` */
export const walletOperation = z
  .object({ ...transaction, coin: lenient(text), size: lenient(decimal), status: lenient(text), time: lenient(time) })
  .transform(withTxId);
export type WalletOperation = z.output<typeof walletOperation>;

/**
 * `POST /orders` and `POST /orders/{order_id}/modify`: a transaction id, or the order as the server accepted it, or both. A requested flag that comes
 * back false was ignored; one that does not come back is not confirmed. `remainingSize` is absent if the server could not compute it.
 */
export const orderEcho = z
  .object({
    ...transaction,
    id: lenient(orderId),
    market: lenient(text),
    future: lenient(text),
    type: lenient(typeName),
    side: lenient(tradeSide),
    price: lenient(decimal),
    size: lenient(decimal),
    filledSize: lenient(decimal),
    remainingSize: lenient(decimal),
    /** `open`, or `closed` if nothing rests. */
    status: lenient(text),
    createdAt: lenient(time),
    reduceOnly: lenient(z.boolean()),
    ioc: lenient(z.boolean()),
    postOnly: lenient(z.boolean()),
    clientId: lenient(text),
  })
  .transform(withTxId);
export type OrderEcho = z.output<typeof orderEcho>;

/** The answer to every kind of cancel: text for a person, which proves nothing. */
export const cancelConfirmation = z.string();

const orderFill = z.object({
  symbol: maybe(z.string()),
  future: maybe(z.string()),
  market: z.string(),
  liquidity: z.enum(['taker', 'maker']),
  price: decimal,
  size: decimal,
  side: tradeSide,
  time,
});
export type OrderFill = z.output<typeof orderFill>;
/** `GET /orders/history` */
export const orderFills = z.array(orderFill);

const fundingPayment = z.object({ future: z.string(), rate: decimal, payment: decimal, date });
export type LocalFundingPayment = z.output<typeof fundingPayment>;
/** `GET /funding_payments`: `payment` in USD */
export const fundingPayments = z.array(fundingPayment);
