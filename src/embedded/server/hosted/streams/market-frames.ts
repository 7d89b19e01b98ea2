// The frames of a market: changed levels of its book, and its trades.

import type { Json } from '../../../../base/server/reply.ts';
import { timeText } from '../../../../base/text/duration.ts';
import { type Book, levelsOf, type Side } from '../../../../bot/domain/book.ts';
import type { Market } from '../../../../bot/domain/market.ts';
import { lots } from '../../../../bot/domain/numbers.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import type { SimTrade } from '../../../exchange/history/trades.ts';
import { idNumber, requireKnown } from '../../reply-values.ts';
import type { FrameSource } from './publisher.ts';

/** Returns the stream of book deltas. `update_id` equals the `updateId` of the polled order book. Sizes are new totals, 0 for a level that is gone. */
export function deltaFrames(exchange: Exchange, market: Market): FrameSource {
  let last = requireKnown(exchange.book(market.id));
  return {
    changes: () => {
      const book = requireKnown(exchange.book(market.id));
      if (book.updateId === last.updateId) return [];
      const delta = {
        last_update_id: idNumber(last.updateId),
        update_id: idNumber(book.updateId),
        market_symbol: market.symbol,
        asks: changedLevels(market, 'ask', last, book),
        bids: changedLevels(market, 'bid', last, book),
      };
      last = book;
      return [{ delta }];
    },
  };
}

function changedLevels(market: Market, side: Side, before: Book, after: Book): Json {
  const sizesBefore = new Map(levelsOf(before, side).map(({ price, size }) => [price, size]));
  const rows: [number, number][] = [];
  for (const { price, size } of levelsOf(after, side)) {
    if (sizesBefore.get(price) !== size) rows.push([market.price(price), market.size(size)]);
    sizesBefore.delete(price);
  }
  for (const price of sizesBefore.keys()) rows.push([market.price(price), market.size(lots(0))]);
  return rows;
}

/** More than any market trades between two frames. Older trades can be polled. */
const MAX_TRADES = 1_000;

/** Returns the stream of trades. `update_id` is the id of the action of the newest trade. */
export function tradeFrames(exchange: Exchange, market: Market): FrameSource {
  const [newest] = exchange.trades({ marketId: market.id, pageSize: 1 }).items;
  let after = Number(newest?.tradeId ?? 0);
  let lastUpdate = newest?.actionId ?? '0';
  return {
    changes: () => {
      const trades = exchange.records.tradesSince({ marketId: market.id }, { after, most: MAX_TRADES });
      const last = trades.at(-1);
      if (last === undefined) return [];
      const frame = {
        last_update_id: idNumber(lastUpdate),
        update_id: idNumber(last.actionId),
        market_symbol: market.symbol,
        trades: trades.map((trade) => tradeRow(market, trade)),
      };
      after = Number(last.tradeId);
      lastUpdate = last.actionId;
      return [{ trades: frame }];
    },
  };
}

const tradeRow = (market: Market, { tradeId, takerSide, price, size, orderId, time }: SimTrade): Json => ({
  trade_id: idNumber(tradeId),
  side: takerSide,
  price: market.price(price),
  size: market.size(size),
  order_id: orderId,
  physical_time: timeText(time),
});
