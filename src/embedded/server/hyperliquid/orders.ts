// Orders and cancels with Hyperliquid's rules: five significant figures, a least value, and a self-trade that cancels the resting order.

import type { Json } from '../../../base/server/reply.ts';
import { opposite, type Side } from '../../../bot/domain/book.ts';
import type { AccountId, OrderId } from '../../../bot/domain/ids.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { type Lots, lots, type Ticks } from '../../../bot/domain/numbers.ts';
import type { FillMode } from '../../../bot/domain/order.ts';
import type { OrderRequest } from '../../../venues/wire/hyperliquid/actions.ts';
import { FILL_MODES } from '../../../venues/wire/hyperliquid/terms.ts';
import type { Placed, PlaceRequest, Refusal } from '../../exchange/commands.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { remaining } from '../../exchange/state/orders.ts';
import { requireKnown } from '../reply-values.ts';
import { findOrder, isNamed } from './account-info.ts';
import { accountIdOf, type HyperliquidContext, marketOfAsset, plain } from './context.ts';

const MEANINGS: Readonly<Record<Refusal, string>> = {
  ACCOUNT_NOT_FOUND: 'User does not exist.',
  MARKET_NOT_FOUND: 'Asset does not exist.',
  MARKET_FROZEN: 'Only post-only orders allowed immediately after network upgrade',
  ORDER_NOT_FOUND: 'Order was never placed, already canceled, or filled.',
  POSITION_NOT_FOUND: 'Reduce only order would increase position.',
  POSITION_SIZE_LIMIT: 'Order would cause position to exceed margin tier limit at current leverage',
  TOO_MANY_OPEN_ORDERS: 'Too many open orders.',
  ORDER_SIZE_ZERO: 'Order has zero size.',
  ORDER_EXECUTION_MISSING_PRICE: 'Order has invalid price.',
  ORDER_EXECUTION_LIMIT_PRICE: 'Order price cannot be more than 80% away from the reference price',
  ORDER_EXECUTION_SIZE_LIMIT: 'Order has invalid size.',
  ORDER_EXECUTION_FILL_OR_KILL: 'Order could not immediately match against any resting orders.',
  POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS: 'Post only order would have immediately matched',
  IMMEDIATE_ORDER_GOT_NO_FILLS: 'Order could not immediately match against any resting orders.',
  INSUFFICIENT_FUNDS: 'Insufficient margin to place order.',
  RISK_TRADE_OMF_LESS_THAN_OR_EQUAL_CMF: 'Insufficient margin to place order.',
};

/** Markets of one kind belong to one account of the user, which must have one. */
const accountIn = (context: HyperliquidContext, user: string, { spec }: Market): AccountId =>
  requireKnown(accountIdOf(context, user, spec.kind));

/** Returns the status of one order of an action. */
export function placeOrder(context: HyperliquidContext, user: string, order: OrderRequest): Json {
  const market = marketOfAsset(context, order.a);
  const error = (text: string): Json => ({ error: market === undefined ? text : `${text} asset=${order.a}` });
  if (market === undefined) return error('Asset does not exist.');
  const wanted = wantedOf(market, order);
  if (typeof wanted === 'string') return error(wanted);
  const request: PlaceRequest = {
    ...wanted,
    account: accountIn(context, user, market),
    market: market.id,
    reduceOnly: order.r,
    clientOrderId: order.c === undefined ? undefined : context.clientIds.registeredNumberOf(order.c),
  };
  cancelOwnCrossed(context.exchange, request);
  const outcome = context.exchange.place(request);
  if (outcome.kind === 'accepted') return acceptedStatus(context, { account: request.account, market, outcome, cloid: order.c });
  const text = MEANINGS[outcome.error];
  return error(outcome.error.startsWith('POST_ONLY') ? `${text}, bbo was ${bestText(context, market)}.` : text);
}

interface Wanted {
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
  readonly fillMode: FillMode;
}

/** Returns the order, or why Hyperliquid refuses it before it reaches the book. */
function wantedOf(market: Market, { b, p, s, r, t }: OrderRequest): Wanted | string {
  if (!('limit' in t)) return 'Invalid TP/SL price.';
  const price = market.ticksOf(Number(p));
  if (price === undefined || !market.isOrderPrice(price)) return 'Price must be divisible by tick size.';
  const size = market.lotsOf(Number(s));
  if (size === undefined || !market.isOrderSize(size)) return 'Order has invalid size.';
  if (size === 0) return 'Order has zero size.';
  if (!r && !market.isWorthEnough(price, size)) return 'Order must have minimum value of $10.';
  return { side: b ? 'bid' : 'ask', price, size, fillMode: FILL_MODES[t.limit.tif] };
}

/** A taker that was filled at once has an oid as well: the newest order of its account. */
function acceptedStatus(
  { exchange }: HyperliquidContext,
  { account, market, outcome, cloid }: { account: AccountId; market: Market; outcome: Placed; cloid: string | undefined },
): Json {
  const { posted, fills } = outcome;
  if (posted !== undefined) return { resting: { oid: Number(posted.orderId), cloid } };
  const [newest] = exchange.orderHistory(account, { pageSize: 1 }).items;
  const total = fills.reduce((sum, { size }) => sum + size, 0);
  const value = fills.reduce((sum, { size, price }) => sum + size * market.price(price), 0);
  return {
    filled: { totalSz: market.sizeText(lots(total)), avgPx: plain(value / total), oid: Number(requireKnown(newest).orderId), cloid },
  };
}

function bestText({ exchange }: HyperliquidContext, market: Market): string {
  const { bids, asks } = requireKnown(exchange.book(market.id));
  const text = (side: Side, price: Ticks | undefined): string =>
    price === undefined ? '' : market.priceText(market.restAt(side, market.price(price)));
  return `${text('bid', bids[0]?.price)}@${text('ask', asks[0]?.price)}`;
}

/**
 * Cancels the account's resting orders that an order would reach, before what others have there fills it; at the price where it ends, also those behind
 * others.
 */
export function cancelOwnCrossed(exchange: Exchange, { account, market, side, price, size, fillMode }: PlaceRequest): void {
  if (fillMode === 'POST_ONLY' || price === undefined) return;
  const across = opposite(side);
  const sign = side === 'bid' ? 1 : -1;
  const book = requireKnown(exchange.book(market));
  const own = exchange.records.openOrders(account).filter((order) => order.market === market && order.side === across);
  const sumOf = (rows: readonly { readonly price?: Ticks | undefined; readonly left: number }[], before: Ticks): number =>
    rows.reduce((sum, row) => (row.price !== undefined && sign * (before - row.price) > 0 ? sum + row.left : sum), 0);
  const levels = (across === 'ask' ? book.asks : book.bids).map((level) => ({ price: level.price, left: level.size }));
  const ours = own.map((order) => ({ price: order.price, left: remaining(order) }));
  for (const order of own) {
    if (order.price === undefined || sign * (price - order.price) < 0) continue;
    if (sumOf(levels, order.price) - sumOf(ours, order.price) < size) exchange.cancel({ account, orderId: order.orderId });
  }
}

const GONE: Json = { error: MEANINGS.ORDER_NOT_FOUND };

/** Cancels an order by its oid or its cloid. Returns its status. */
export function cancel(context: HyperliquidContext, user: string, { asset, name }: { asset: number; name: number | string }): Json {
  const { exchange } = context;
  const market = marketOfAsset(context, asset);
  const account = market && accountIn(context, user, market);
  const order = account === undefined ? undefined : exchange.records.openOrders(account).find(isNamed(context, name));
  if (account === undefined || order?.market !== market?.id) return GONE;
  return exchange.cancel({ account, orderId: requireKnown(order).orderId }).kind === 'accepted' ? 'success' : GONE;
}

/** Cancels an order and places another one with a new oid and the same cloid, or does neither. */
export function modify(context: HyperliquidContext, user: string, { oid, order }: { oid: number | string; order: OrderRequest }): Json {
  const { exchange } = context;
  const found = findOrder(context, user, oid);
  const market = marketOfAsset(context, order.a);
  if (found === undefined || found.finalized !== undefined || market?.id !== found.market)
    return { error: 'Cannot modify canceled or filled order' };
  const wanted = wantedOf(market, order);
  if (typeof wanted === 'string') return { error: wanted };
  if (wanted.side !== found.side || wanted.fillMode !== found.fillMode)
    return { error: 'the embedded exchange keeps the side and the kind of an order' };
  const orderId: OrderId = found.orderId;
  const account = accountIn(context, user, market);
  const outcome = exchange.replace({ account, orderId, price: wanted.price, size: wanted.size });
  if (outcome.kind === 'refused') return { error: MEANINGS[outcome.error] };
  return acceptedStatus(context, { account, market, outcome, cloid: order.c });
}
