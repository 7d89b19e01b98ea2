// What the endpoints of the local API share: the exchange, the one account that they act for, and the names of markets and orders.
import type { Millis } from '../../../base/clock.ts';
import type { AccountId, MarketId, OrderId } from '../../../bot/domain/ids.ts';
import type { Market } from '../../../bot/domain/market.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { MarkCandle } from '../../exchange/history/mark-candles.ts';
import type { CandlesWithPast } from '../../exchange/history/past.ts';
import type { OrderRecord } from '../../exchange/state/orders.ts';
import type { ShownAccountState } from '../../exchange/views.ts';
import type { ClientIds } from '../client-ids.ts';
import { requireKnown } from '../reply-values.ts';
import type { MarketNames } from './names.ts';
import { refusal } from './reply.ts';

export interface LocalApiContext {
  readonly exchange: Exchange;
  readonly account: AccountId;
  /** Candles from before the exchange's start, by market. */
  readonly pasts: ReadonlyMap<MarketId, CandlesWithPast>;
  readonly names: MarketNames;
  readonly clientIds: ClientIds;
}

export const stateOf = ({ exchange, account }: LocalApiContext): ShownAccountState => requireKnown(exchange.account(account));

/** Returns the market with an id of the exchange. */
export const marketOf = ({ exchange }: LocalApiContext, id: MarketId): Market => requireKnown(exchange.markets[id]);
export const nameOf = (context: LocalApiContext, id: MarketId): string => context.names.of(marketOf(context, id));

/** Returns an order of the account, in `market` if given, resting or finished. Throws 404 if the order does not exist or is no longer kept. */
export function findOrder({ exchange, account }: LocalApiContext, id: OrderId, market?: Market): OrderRecord {
  const { items } = exchange.orderHistory(account, { startInclusive: id, pageSize: 1 });
  const order = [...items, ...exchange.records.openOrders(account)].find(({ orderId }) => orderId === id);
  if (order === undefined || (market !== undefined && order.market !== market.id)) throw refusal('ORDER_NOT_FOUND');
  return order;
}

/** Returns the candles of a market, newest first, with those from before the exchange's start. */
export function candlesOf({ exchange, pasts }: LocalApiContext, { id }: Market, span: Millis): readonly MarkCandle[] {
  const own = exchange.records.candles(id, span);
  return pasts.get(id)?.of(span, own) ?? own;
}
