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
/** With one look: the open, the two extremes and the close, each a quarter of the candle later than the one before. */
export const CORNERS = 4;
/** At each point this part of the volume rests on either side. */
const DEPTH_PARTS = 12;

interface Candle {
  readonly time: Stamp;
  readonly length: Stamp;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const NO_CANDLE: Candle = { time: 0, length: 0, open: 0, high: 0, low: 0, close: 0, volume: 0 };

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
  #open = { time: 0, price: 0, length: 0 };
  #high = 0;
  #low = 0;
  /** The candle whose path is walked. Its points are computed when they are reached: a tape has hundreds of thousands of them. */
  #candle: Candle = NO_CANDLE;
  /** The prices of its points, and the first point that was not reached. */
  readonly #prices: number[] = [];
  #next = 0;
  /** The price before its first point. */
  #before = 0;
  /** The volume and the moves that are left for the points ahead. */
  #volumeLeft = 0;
  #movesLeft = 0;
  /** The price on the path, and the quotes around it; no number before the first candle and in a gap. */
  #price = Number.NaN;
  #bid = Number.NaN;
  #ask = Number.NaN;
  #marksAreRecorded = false;

  constructor({ path, halfSpreadBps, looks }: CandlePathOptions) {
    this.#points = looks === 1 ? CORNERS : POINTS;
    this.#nearestFirst = path === 'nearest';
    this.#halfSpread = halfSpreadBps / 1e4;
  }

  /** Returns all rows up to the last of the given ones; later points wait for the next call. */
  rows(rows: Rows): Rows {
    if (rows.orders !== undefined) this.#out = new RowBuilder({ orders: true });
    for (let at = 0; at < rows.count; at++) this.#take(rows, at);
    return this.#out.take();
  }

  /** Returns the rest of the last candle. */
  end(): Rows {
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
      case ROW.close: {
        const { time: start, price: open, length } = this.#open;
        this.#begin({ time: start, length, open, high: this.#high, low: this.#low, close: price, volume: size });
        return;
      }
      default:
        this.#walk(time);
        this.#note(code & KIND_BITS);
        this.#out.add({ time, lag: rows.lags[at]!, code, price, size, order: rows.orders?.[at] });
    }
  }

  #note(kind: number): void {
    if (kind === ROW.gap) this.#price = Number.NaN;
    if (kind === ROW.mark || kind === ROW.index) this.#marksAreRecorded = true;
  }

  #begin(candle: Candle): void {
    this.#walk(candle.time);
    // If candles overlap, the rest of the older one happens at once.
    while (this.#next < this.#prices.length) this.#step(candle.time);
    this.#candle = candle;
    this.#before = Number.isNaN(this.#price) ? candle.open : this.#price;
    this.#next = 0;
    this.#setPrices(candle);
    this.#volumeLeft = candle.volume;
    this.#movesLeft = 0;
    for (let point = 0; point < this.#prices.length; point++) if (this.#prices[point] !== this.#priceBefore(point)) this.#movesLeft++;
    this.#walk(candle.time);
  }

  /** Along the corners of the path: to each of them in whole points, more if it is farther, and at least one. */
  #setPrices({ open, high, low, close }: Candle): void {
    const lowIsNearer = open - low <= high - open;
    const lowFirst = this.#nearestFirst || close === open ? lowIsNearer : close > open;
    const [first, second] = lowFirst ? [low, high] : [high, low];
    const lengths = [Math.abs(first - open), Math.abs(second - first), Math.abs(close - second)] as const;
    const total = lengths[0] + lengths[1] + lengths[2];
    const free = this.#points - CORNERS;
    const toFirst = total === 0 ? 0 : Math.floor((free * lengths[0]) / total);
    const toClose = total === 0 ? 0 : Math.floor((free * lengths[2]) / total);
    this.#prices.length = 0;
    this.#prices.push(open);
    this.#addLeg(open, first, toFirst + 1);
    this.#addLeg(first, second, free - toFirst - toClose + 1);
    this.#addLeg(second, close, toClose + 1);
  }

  #addLeg(from: number, to: number, count: number): void {
    for (let point = 1; point <= count; point++) this.#prices.push(Math.round(from + ((to - from) * point) / count));
  }

  #priceBefore(point: number): number {
    return point === 0 ? this.#before : this.#prices[point - 1]!;
  }

  #walk(until: Stamp): void {
    const { time, length } = this.#candle;
    while (this.#next < this.#prices.length) {
      const due = time + Math.floor((length * this.#next) / this.#points);
      if (due > until) return;
      this.#step(due);
    }
  }

  /** Moves the price to the next point: a trade on the way to it, then the quotes around it. */
  #step(time: Stamp): void {
    const point = this.#next++;
    const [from, price] = [this.#priceBefore(point), this.#prices[point]!];
    const traded = price === from ? 0 : Math.floor(this.#volumeLeft / this.#movesLeft--);
    this.#volumeLeft -= traded;
    if (traded > 0 && price < from) this.#emit(time, TRADE.ask, price + 1, traded);
    if (traded > 0 && price > from) this.#emit(time, TRADE.bid, price - 1, traded);
    this.#quote(time, price);
    if (!this.#marksAreRecorded) this.#emit(time, MARK, price, 0);
  }

  #quote(time: Stamp, price: number): void {
    const half = Math.max(1, Math.round(price * this.#halfSpread));
    const [bid, ask] = [Math.max(1, price - half), price + half];
    const depth = Math.max(1, Math.floor(this.#candle.volume / DEPTH_PARTS));
    const isFirst = Number.isNaN(this.#price);
    if (isFirst) this.#emit(time, CLEAR, 0, 0);
    if (!isFirst && this.#bid !== bid) this.#emit(time, LEVEL.bid, this.#bid, 0);
    if (!isFirst && this.#ask !== ask) this.#emit(time, LEVEL.ask, this.#ask, 0);
    this.#emit(time, LEVEL.bid, bid, depth);
    this.#emit(time, LAST_ASK, ask, depth);
    [this.#price, this.#bid, this.#ask] = [price, bid, ask];
  }

  #emit(time: Stamp, code: number, price: number, size: number): void {
    this.#out.add({ time, lag: 0, code, price, size });
  }
}

const TRADE = { bid: codeOf('trade', { side: 'bid' }), ask: codeOf('trade', { side: 'ask' }) };
const LEVEL = { bid: codeOf('level', { side: 'bid' }), ask: codeOf('level', { side: 'ask' }) };
const LAST_ASK = codeOf('level', { side: 'ask', last: true });
const CLEAR = codeOf('clear', { snapshot: true });
const MARK = codeOf('mark');
