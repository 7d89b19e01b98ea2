// The answers of the local API about markets and their history.

import type { Json } from '../../../base/server/reply.ts';
import { timeText } from '../../../base/text/duration.ts';
import { type Book, levelsOf, type Side } from '../../../bot/domain/book.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { type Ticks, toDecimal } from '../../../bot/domain/numbers.ts';
import type { MarkCandle } from '../../exchange/history/mark-candles.ts';
import type { SimTrade } from '../../exchange/history/trades.ts';
import type { FundingHour } from '../../exchange/state/funding.ts';
import { orNull, requireKnown } from '../reply-values.ts';
import { type LocalApiContext, nameOf } from './context.ts';

/** `price` is the mark; `ask` and `bid` are null while that side of the book is empty. */
export function marketReply({ exchange, names }: LocalApiContext, market: Market): Json {
  const { mark, frozen } = requireKnown(exchange.live(market.id));
  const { bids, asks } = requireKnown(exchange.book(market.id));
  const { kind, baseTokenId } = market.spec;
  const price = (ticks: Ticks | undefined): number | null => orNull(ticks, (value) => market.price(value));
  return {
    name: names.of(market),
    type: kind === 'perp' ? 'future' : 'spot',
    underlying: kind === 'perp' ? requireKnown(exchange.tokens[baseTokenId]).symbol : undefined,
    enabled: !frozen,
    ask: price(asks[0]?.price),
    bid: price(bids[0]?.price),
    price: price(mark),
  };
}

/** Returns the best `depth` levels of each side, best first; all levels by default. */
export function orderbookReply(market: Market, book: Book, depth?: number): Json {
  const levels = (side: Side): Json =>
    levelsOf(book, side)
      .slice(0, depth)
      .map(({ price, size }) => [market.price(price), market.size(size)]);
  return { asks: levels('ask'), bids: levels('bid') };
}

export const candleReply = (market: Market, { start, open, high, low, close }: MarkCandle): Json => ({
  startTime: timeText(start),
  open: market.price(open),
  close: market.price(close),
  high: market.price(high),
  low: market.price(low),
});

/** `side` is the taker's. */
export const tradeReply = (market: Market, { price, takerSide, size, time, liquidation }: SimTrade): Json => ({
  price: market.price(price),
  side: sideWord(takerSide),
  size: market.size(size),
  time: timeText(time),
  liquidation,
  status: 'filled',
  type: 'market',
});

export const sideWord = (side: Side): 'buy' | 'sell' => (side === 'bid' ? 'buy' : 'sell');

/**
 * `fundingIndex` is the funding that a long position paid since the exchange's start, in quote tokens per base token; `fundingCollected` is the total
 * that longs paid in that hour.
 */
export const fundingRateReply = (context: LocalApiContext, { time, market, index, collected }: FundingHour): Json => ({
  date: timeText(time),
  future: nameOf(context, market),
  fundingIndex: index,
  fundingCollected: toDecimal(collected),
});
