// Turns candles into rows that an exchange can play: a path that the price may have taken inside each candle, with quotes, trades and a mark along
// it.
import { RowBuilder } from '../../domain/row-builder.ts';
import { codeOf, KIND_BITS, ROW, type Rows, STAMPS_PER_MILLI, type Stamp } from '../../domain/rows.ts';

export interface CandlePathOptions {
  /**
   * Which extreme comes first. `pessimistic`: the one that makes the path shortest, the low if the candle closes above its open and the high if it
   * closes below: the fewest levels are crossed both ways, so that market makers earn least. `nearest`: the one nearer to the open, as in charting
   * programs.
   */
  readonly path: 'pessimistic' | 'nearest';
  /** The distance from the price on the path to the best bid, and to the best ask; never less than a tick. A guess: candles do not contain it. */
  readonly halfSpreadBps: number;
  /**
   * How often a run looks at a candle. 1: at its end, when it decides on finished candles, and acts in the next one. 4 or 12: at points of the path, which
   * is a guess.
   */
  readonly looks: 1 | 4 | 12;
}

/** The default. */
export const USUAL_CANDLES: CandlePathOptions = { path: 'pessimistic', halfSpreadBps: 1, looks: 1 };

/** Points of the path in each candle, equally spaced in time: the first is the open and the last the close. */
const POINTS = 12;
/** With one look: the open, the two extremes and the close. */
const CORNERS = 4;
/** At each point this part of the volume rests on either side. */
const DEPTH_PARTS = 12;

interface Point {
  readonly time: Stamp;
  readonly price: number;
  /** What is traded on the way to this point, and from which price. */
  readonly volume: number;
  readonly from: number;
  /** What rests on either side of this point. */
  readonly depth: number;
}

interface Candle {
  readonly time: Stamp;
  readonly length: Stamp;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/**
 * The candle's volume is spread evenly over the points to which the price moves: each has one trade, a tick before the point, from the side that
 * drives the price. Around each point a twelfth of the volume rests at one price a side. So a resting order is filled only if the price has gone
 * through it by a tick, and by no more than was traded; an order that takes pays the spread and finds no more than a twelfth. A candle that does not
 * move has no trade, because no order could be passed.
 *
 * No row comes before its time, but the path has patterns: a strategy that looks many times a candle can learn where it must turn. Decisions within a
 * candle prove nothing.
 *
 * Rows of other kinds are passed on, in order of time. After a `gap` the book starts again with the next candle.
 */
export class CandlePath {
  readonly #nearestFirst: boolean;
  readonly #halfSpread: number;
  readonly #points: number;
  #out = new RowBuilder();
  /** The rest of the current path. */
  #ahead: readonly Point[] = [];
  #open = { time: 0, price: 0, length: 0 };
  #high = 0;
  #low = 0;
  /** The price on the path, and the quotes around it; undefined before the first candle and in a gap. */
  #now: { readonly price: number; readonly bid: number; readonly ask: number } | undefined;
  #marksAreRecorded = false;

  constructor({ path, halfSpreadBps, looks }: CandlePathOptions) {
    this.#points = looks === 1 ? CORNERS : POINTS;
    this.#nearestFirst = path === 'nearest';
    this.#halfSpread = halfSpreadBps / 1e4;
  }

  /** Returns all rows up to the last of the given ones; later points wait for the next call. */
  rows(rows: Rows): Rows {
    this.#out = new RowBuilder({ capacity: Math.max(1, rows.count * 16), orders: rows.orders !== undefined });
    for (let at = 0; at < rows.count; at++) this.#take(rows, at);
    return this.#out.take();
  }

  /** Returns the rest of the last candle. */
  end(): Rows {
    this.#out = new RowBuilder();
    this.#walk(Number.POSITIVE_INFINITY);
    return this.#out.take();
  }

  #take(rows: Rows, at: number): void {
    const [code, time, price, size] = [rows.codes[at]!, rows.times[at]!, rows.prices[at]!, rows.sizes[at]!];
    switch (code & KIND_BITS) {
      case ROW.open:
        this.#open = { time, price, length: size * STAMPS_PER_MILLI };
        return;
      case ROW.high:
        this.#high = price;
        return;
      case ROW.low:
        this.#low = price;
        return;
      case ROW.close:
        this.#begin({ ...this.#open, open: this.#open.price, high: this.#high, low: this.#low, close: price, volume: size });
        return;
      default:
        this.#walk(time);
        this.#note(code & KIND_BITS);
        this.#out.add({ time, lag: rows.lags[at]!, code, price, size, order: rows.orders?.[at] });
    }
  }

  #note(kind: number): void {
    if (kind === ROW.gap) this.#now = undefined;
    if (kind === ROW.mark || kind === ROW.index) this.#marksAreRecorded = true;
  }

  #begin(candle: Candle): void {
    this.#walk(candle.time);
    // If candles overlap, the rest of the older one happens at once.
    for (const point of this.#ahead) this.#step({ ...point, time: candle.time });
    this.#ahead = pointsOf(candle, this.#cornersOf(candle), { before: this.#now?.price ?? candle.open, points: this.#points });
    this.#walk(candle.time);
  }

  #cornersOf({ open, high, low, close }: Candle): Corners {
    const lowIsNearer = open - low <= high - open;
    const lowFirst = this.#nearestFirst || close === open ? lowIsNearer : close > open;
    return lowFirst ? [open, low, high, close] : [open, high, low, close];
  }

  #walk(until: Stamp): void {
    let count = 0;
    for (const point of this.#ahead) {
      if (point.time > until) break;
      this.#step(point);
      count++;
    }
    if (count > 0) this.#ahead = this.#ahead.slice(count);
  }

  #step(point: Point): void {
    const { time, price, from, volume } = point;
    const falls = price < from;
    if (volume > 0) this.#emit(time, codeOf('trade', { side: falls ? 'ask' : 'bid' }), falls ? price + 1 : price - 1, volume);
    this.#quote(point);
    if (!this.#marksAreRecorded) this.#emit(time, codeOf('mark'), price, 0);
  }

  #quote({ time, price, depth }: Point): void {
    const half = Math.max(1, Math.round(price * this.#halfSpread));
    const [bid, ask] = [Math.max(1, price - half), price + half];
    const now = this.#now;
    if (now === undefined) this.#emit(time, codeOf('clear', { snapshot: true }), 0, 0);
    if (now !== undefined && now.bid !== bid) this.#emit(time, codeOf('level', { side: 'bid' }), now.bid, 0);
    if (now !== undefined && now.ask !== ask) this.#emit(time, codeOf('level', { side: 'ask' }), now.ask, 0);
    this.#emit(time, codeOf('level', { side: 'bid' }), bid, depth);
    this.#emit(time, codeOf('level', { side: 'ask', last: true }), ask, depth);
    this.#now = { price, bid, ask };
  }

  #emit(time: Stamp, code: number, price: number, size: number): void {
    this.#out.add({ time, lag: 0, code, price, size });
  }
}

type Corners = readonly [number, number, number, number];

/** Returns the path along its corners: to each of them in whole points, more if it is farther, and at least one. */
function pointsOf(
  { time, length, volume }: Candle,
  [open, first, second, close]: Corners,
  { before, points }: { before: number; points: number },
): readonly Point[] {
  const legs = [
    [open, first],
    [first, second],
    [second, close],
  ] as const;
  const counts = countsOf(
    legs.map(([from, to]) => Math.abs(to - from)),
    points,
  );
  const prices = [open, ...legs.flatMap(([from, to], leg) => between(from, to, counts[leg]!))];
  const moves = prices.filter((price, index) => price !== (prices[index - 1] ?? before)).length;
  const depth = Math.max(1, Math.floor(volume / DEPTH_PARTS));
  let [left, movesLeft] = [volume, moves];
  return prices.map((price, index) => {
    const from = prices[index - 1] ?? before;
    const traded = price === from ? 0 : Math.floor(left / movesLeft--);
    left -= traded;
    return { time: time + Math.floor((length * index) / points), price, from, volume: traded, depth };
  });
}

const between = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.round(from + ((to - from) * (index + 1)) / count));

/** Shares out the points after the first. */
function countsOf(lengths: readonly number[], points: number): readonly number[] {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const free = points - 1 - lengths.length;
  const [first = 0, , last = 0] = lengths.map((length) => (total === 0 ? 0 : Math.floor((free * length) / total)));
  return [first + 1, free - first - last + 1, last + 1];
}
