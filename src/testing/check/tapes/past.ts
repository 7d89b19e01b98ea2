// Candles from before a market of a check begins, for strategies that ask for a history: a random walk with a jump at its end, so that there is a reason to trade.
import type { Millis } from '../../../base/clock.ts';
import type { Candle } from '../../../domain/candle.ts';
import { Market } from '../../../domain/market.ts';
import { lots, type Ticks, ticks } from '../../../domain/numbers.ts';
import { pastCandles } from '../../../embedded/history/past.ts';
import type { CandlesAsked, Venue } from '../../../exchange/port.ts';
import type { Tape } from '../../../tape/reader.ts';
import type { Subject } from '../subject.ts';
import { longestCandle } from './candle-tapes.ts';

/** Of each candle that stands still, in lots. */
const VOLUME = lots(10_000);
/** How far the first market jumps, as a factor; the others stand still. */
const JUMP = 1.1;

/** The history of a check's markets up to `end`; undefined if the strategy asks for none. */
export function pastBefore(end: Millis, { strategy, params, tapes, seed }: Subject): Venue['history'] {
  const longest = longestCandle(strategy, params);
  if (longest === undefined) return undefined;
  const jumped = end - (end % longest); // the jump is in the minute before it, and so in the newest candle of every length
  const first = tapes[0]?.header.market.symbol;
  const prices = new Map(tapes.map(({ header }) => [header.market.symbol, priceOf(header)]));
  return ({ market: { symbol }, span, count }) => {
    const price = prices.get(symbol);
    if (price === undefined) return { span, candles: [] };
    const before = symbol === first ? ticks(Math.round(price / JUMP)) : price;
    const walk = pastCandles({ seed, symbol, price: before, end: jumped }, { span, count });
    return { span, candles: [...jumpedTo(price, walk), ...still({ price, from: jumped, until: end }, span)].slice(-count) };
  };
}

const priceOf = ({ market, basePrice }: Tape['header']): Ticks => new Market(market).ticksNear(basePrice) ?? ticks(1);

/** The same candles, the newest of which closes at the price. */
function jumpedTo(price: Ticks, walk: readonly Candle[]): readonly Candle[] {
  const newest = walk.at(-1);
  if (newest === undefined) return walk;
  return [
    ...walk.slice(0, -1),
    { ...newest, close: price, high: ticks(Math.max(newest.high, price)), low: ticks(Math.min(newest.low, price)) },
  ];
}

interface Still {
  readonly price: Ticks;
  readonly from: Millis;
  readonly until: Millis;
}

function still({ price, from, until }: Still, span: CandlesAsked['span']): readonly Candle[] {
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
