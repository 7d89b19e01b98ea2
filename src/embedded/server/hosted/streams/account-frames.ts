// The frames of an account: fills, placed and cancelled orders, and changed balances.

import type { Json } from '../../../../base/server/reply.ts';
import type { RestingOrder } from '../../../../bot/domain/account.ts';
import { opposite } from '../../../../bot/domain/book.ts';
import type { AccountId } from '../../../../bot/domain/ids.ts';
import { type Lots, lots } from '../../../../bot/domain/numbers.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import type { SimTrade } from '../../../exchange/history/trades.ts';
import type { ShownAccountState } from '../../../exchange/views.ts';
import { idNumber, requireKnown } from '../../reply-values.ts';
import type { FrameSource } from './publisher.ts';

const MAX_FILLS = 1_000;

/** Returns the stream of an account. `update_id` equals the `updateId` of the polled account. It has no positions and margins: they must be polled. */
export function accountFrames(exchange: Exchange, id: AccountId): FrameSource {
  let last = requireKnown(exchange.account(id));
  let after = Number(exchange.trades({ pageSize: 1 }).items[0]?.tradeId ?? 0);
  return {
    changes: () => {
      const now = requireKnown(exchange.account(id));
      const trades = exchange.records.tradesSince({ account: id }, { after, most: MAX_FILLS });
      const filled = new Set(trades.map(({ orderId }) => orderId));
      const parts = {
        fills: fillRows(exchange, id, trades),
        places: orderRows(exchange, missingIn(last, now.orders)),
        cancels: orderRows(
          exchange,
          missingIn(now, last.orders).filter((order) => !filled.has(order.orderId) || isCancelled(order, trades)),
        ),
        balances: balanceRows(last, now),
      };
      if (Object.values(parts).every((part) => Object.keys(part).length === 0)) return [];
      const ids = { last_update_id: idNumber(last.updateId), update_id: idNumber(now.updateId), account_id: id };
      last = now;
      after = Number(trades.at(-1)?.tradeId ?? after);
      return [{ account: { ...ids, ...parts } }];
    },
  };
}

type Rows = { [key: string]: Json };

/** Returns the orders in `listed` that the account does not have. */
const missingIn = ({ orders }: ShownAccountState, listed: readonly RestingOrder[]): readonly RestingOrder[] => {
  const ids = new Set(orders.map(({ orderId }) => orderId));
  return listed.filter(({ orderId }) => !ids.has(orderId));
};

/** True if an order that is no longer open was filled by less than its last open size. */
const isCancelled = ({ orderId, size }: RestingOrder, trades: readonly SimTrade[]): boolean =>
  trades.reduce((sum, trade) => sum + (trade.orderId === orderId ? trade.size : 0), 0) < size;

function orderRows({ markets }: Exchange, orders: readonly RestingOrder[]): Rows {
  const rows: Rows = {};
  for (const { orderId, side, size, price, market: id } of orders) {
    const market = requireKnown(markets[id]);
    rows[orderId] = { side, current_size: market.size(size), price: market.price(price), market_id: id };
  }
  return rows;
}

/** Keyed by the maker's order id. `side` is the account's; `remaining` is the open size of the maker's order. */
function fillRows(exchange: Exchange, id: AccountId, trades: readonly SimTrade[]): Rows {
  const sizes = new Map<string, Lots>();
  for (const { orderId, size } of trades) sizes.set(orderId, lots((sizes.get(orderId) ?? 0) + size));
  const rows: Rows = {};
  for (const { orderId, market: marketId, takerSide, price, makerId, takerId } of trades) {
    const market = requireKnown(exchange.markets[marketId]);
    const left = exchange.account(makerId)?.orders.find((order) => order.orderId === orderId)?.size ?? lots(0);
    rows[orderId] = {
      side: takerId === id ? takerSide : opposite(takerSide),
      quantity: market.size(sizes.get(orderId)!),
      remaining: market.size(left),
      price: market.price(price),
      order_id: orderId,
      market_id: marketId,
      maker_id: makerId,
      taker_id: takerId,
      sender_tracking_id: null,
    };
  }
  return rows;
}

/** Returns the changed balances, keyed by token id. */
function balanceRows(before: ShownAccountState, after: ShownAccountState): Rows {
  const rows: Rows = {};
  for (const { tokenId, amount } of after.balances)
    if (before.balances.find((balance) => balance.tokenId === tokenId)?.amount !== amount) rows[tokenId] = amount;
  for (const { tokenId } of before.balances) if (!after.balances.some((balance) => balance.tokenId === tokenId)) rows[tokenId] = 0;
  return rows;
}
