// Candles from before the start of a check's markets, for strategies with a history: a random walk that
// ends with a jump, as a reason to trade, and flat candles from the jump to the start.
import type { Millis } from '../../../../base/clock.ts';
import type { Candle } from '../../../../bot/domain/candle.ts';
import { Market } from '../../../../bot/domain/market.ts';
import { lots, type Ticks, ticks } from '../../../../bot/domain/numbers.ts';
import type { CandleRequest, Venue } from '../../../../bot/exchange/port.ts';
import { pastCandles } from '../../../../embedded/exchange/history/past.ts';
import type { Tape } from '../../../../embedded/tape/reader.ts';
import type { Subject } from '../subject.ts';
import { longestCandle } from './candle-tapes.ts';

/** Volume of each candle, in lots. */
const VOLUME = lots(10_000);
/** Factor of the first market's jump; the other markets do not move. */
const JUMP = 1.1;

/** Returns the history of a check's markets up to `end`; undefined if the strategy has none. */
export function pastBefore(end: Millis, { strategy, params, tapes, seed }: Subject): Venue['history'] {
  const longest = longestCandle(strategy, params);
  if (longest === undefined) return undefined;
  // Candles of every length end at `jumpAt`, so the newest of each contains the jump. Flat candles follow up to `end`.
  const jumpAt = end - (end % longest);
  const first = tapes[0]?.header.market.symbol;
  const prices = new Map(tapes.map(({ header }) => [header.market.symbol, priceOf(header)]));
  return ({ market: { symbol }, span, count }) => {
    const price = prices.get(symbol);
    if (price === undefined) return { span, candles: [] };
    const priceBefore = symbol === first ? ticks(Math.round(price / JUMP)) : price;
    const walk = pastCandles({ seed, symbol, price: priceBefore, end: jumpAt }, { span, count });
    return { span, candles: [...jumpedTo(price, walk), ...flatCandles({ price, from: jumpAt, until: end }, span)].slice(-count) };
  };
}

const priceOf = ({ market, basePrice }: Tape['header']): Ticks => new Market(market).ticksNear(basePrice) ?? ticks(1);

/** Returns the candles with the newest one closing at the price. */
function jumpedTo(price: Ticks, walk: readonly Candle[]): readonly Candle[] {
  const newest = walk.at(-1);
  if (newest === undefined) return walk;
  return [
    ...walk.slice(0, -1),
    { ...newest, close: price, high: ticks(Math.max(newest.high, price)), low: ticks(Math.min(newest.low, price)) },
  ];
}

interface FlatSpan {
  readonly price: Ticks;
  readonly from: Millis;
  readonly until: Millis;
}

function flatCandles({ price, from, until }: FlatSpan, span: CandleRequest['span']): readonly Candle[] {
  const count = Math.floor((until - from) / span);
  return Array.from({ length: count }, (_, index) => ({
    start: from + index * span,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: VOLUME,
  }));
}
