// The answers of the hosted API about users, accounts and their orders.

import type { Json, WrittenJson } from '../../../base/server/reply.ts';
import { timeText } from '../../../base/text/duration.ts';
import { toBase58 } from '../../../base/wire/ed25519.ts';
import type { RestingOrder } from '../../../bot/domain/account.ts';
import type { AccountId } from '../../../bot/domain/ids.ts';
import type { MarginsWithCancel } from '../../../bot/domain/margin.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { lots, toDecimal } from '../../../bot/domain/numbers.ts';
import type { FillMode } from '../../../bot/domain/order.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { OrderRecord } from '../../exchange/state/orders.ts';
import type { PositionState, ShownAccountState } from '../../exchange/views.ts';
import { idNumber, orNull } from '../reply-values.ts';
import type { ServedSession } from './sessions.ts';

export const userReply = (accountIds: readonly AccountId[], sessions: readonly ServedSession[]): Json => ({
  accountIds,
  sessions: Object.fromEntries(
    sessions.map(({ id, publicKey, expiry }) => [id, { pubkey: toBase58(publicKey), expiry: timeText(expiry * 1000) }]),
  ),
});

/** `orders` is `openOrdersReply` of the account; `marketOf` returns the market with an id. */
export const accountReply = (
  account: ShownAccountState,
  { orders, marketOf }: { orders: WrittenJson; marketOf: (id: number) => Market },
): Json => ({
  updateId: idNumber(account.updateId),
  balances: account.balances.map(({ tokenId, token, amount }) => ({ tokenId, token, amount })),
  positions: account.positions.map((position) => positionReply(marketOf(position.market), position)),
  orders,
  margins: marginsReply(account.margins),
});

const positionReply = (market: Market, position: PositionState): Json => ({
  marketId: market.id,
  openOrders: position.openOrders,
  perp: position.entry === undefined ? null : perpReply(market, position, position.entry),
  actionId: idNumber(position.actionId),
});

const perpReply = (market: Market, position: PositionState, entry: number): Json => ({
  baseSize: market.size(lots(Math.abs(position.size))),
  price: entry,
  isLong: position.size > 0,
  tradingPnl: toDecimal(position.tradingPnl),
  sizePricePnl: toDecimal(position.tradingPnl),
  fundingPaymentPnl: toDecimal(position.fundingPaymentPnl),
  updatedFundingRateIndex: position.fundingIndex,
});

export const openOrdersReply = (orders: readonly RestingOrder[], marketOf: (id: number) => Market): Json =>
  orders.map((order) => openOrderReply(marketOf(order.market), order));

const openOrderReply = (market: Market, order: RestingOrder): Json => ({
  orderId: idNumber(order.orderId),
  marketId: market.id,
  side: order.side,
  price: market.price(order.price),
  size: market.size(order.size),
  originalOrderSize: market.size(order.originalSize),
  clientOrderId: orNull(order.clientOrderId, idNumber),
});

const marginsReply = (margins: MarginsWithCancel): Json => ({
  omf: toDecimal(margins.omf),
  mf: toDecimal(margins.mf),
  imf: toDecimal(margins.imf),
  cmf: toDecimal(margins.cmf),
  mmf: toDecimal(margins.mmf),
  pon: toDecimal(margins.pon),
  pn: toDecimal(margins.pn),
  bankruptcy: margins.bankruptcy,
});

/** These fields are those of the real exchange's order history; the API document does not describe them. */
export const orderRecordReply = (market: Market, order: OrderRecord, { tokens }: Exchange): Json => ({
  orderId: idNumber(order.orderId),
  traderId: order.account,
  marketId: market.id,
  marketSymbol: market.symbol,
  tokenSymbol: orNull(tokens[market.spec.baseTokenId], ({ symbol }) => symbol),
  side: order.side,
  fillMode: FILL_MODES[order.fillMode],
  isReduceOnly: order.reduceOnly,
  placedPrice: orNull(order.price, (price) => market.price(price)),
  placedSize: market.size(order.size),
  filledSize: market.size(order.filled),
  originalPriceLimit: orNull(order.price, (price) => market.price(price)),
  originalSizeLimit: market.size(order.size),
  placementOrigin: order.origin === 'user' ? 'User' : 'Liquidation',
  finalizationReason: orNull(order.finalized, (reason) => (reason === 'filled' ? 'Filled' : 'Canceled')),
  addedAt: timeText(order.addedAt),
  updatedAt: timeText(order.updatedAt),
  updateActionId: idNumber(order.updateActionId),
  tradeId: orNull(order.lastTradeId, idNumber),
});

const FILL_MODES: Readonly<Record<FillMode, string>> = {
  LIMIT: 'Limit',
  POST_ONLY: 'PostOnly',
  IMMEDIATE_OR_CANCEL: 'ImmediateOrCancel',
  FILL_OR_KILL: 'FillOrKill',
};
