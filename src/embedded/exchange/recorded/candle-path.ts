// Turns candles into rows that an exchange can play: the price stands at the open until the end of the candle, where its whole range is played at once.
import { RowBuilder } from '../../../bot/domain/rows/row-builder.ts';
import { codeOf, KIND_BITS, ROW, type Rows, STAMPS_PER_MILLI, type Stamp } from '../../../bot/domain/rows/rows.ts';

export interface CandlePathOptions {
  /**
   * Which extreme comes first. `pessimistic`: the one that makes the path shortest, the low if the candle closes above its open and the high if it
   * closes below: the fewest levels are crossed both ways, so that market makers earn least. `nearest`: the one nearer to the open, as in charting
   * programs.
   */
  readonly path: 'pessimistic' | 'nearest';
  /**
   * The distance from the price on the path to the best bid, and to the best ask; never less than a tick. An assumption: candles do not contain it.
   */
  readonly halfSpreadBps: number;
}

/** The default options. */
export const DEFAULT_CANDLES: CandlePathOptions = { path: 'pessimistic', halfSpreadBps: 1 };

/** How long before the end of a candle its extremes and its close are played: the exchange counts whole milliseconds. */
export const CLOSING_STAMPS: Stamp = STAMPS_PER_MILLI;
/** A twelfth of the volume rests on either side at each point. */
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
 * drives the price. Around each point a twelfth of the volume rests at one price per side. So a resting order fills only if the price has gone
 * through it by a tick, by at most the traded size; a taking order pays the spread and finds at most a twelfth. A candle that does not move has no
 * trade.
 *
 * Nothing happens between the open and the last millisecond of a candle, so an order that arrives in between meets the price that was known at its
 * beginning. The run reads data only at the boundaries of candles (`embedded/adapter/looks.ts`), so it never meets the assumed path.
 *
 * The resting size on either side is derived from the volume of the previous candle, because the volume of the current one would reveal how far it
 * moves.
 *
 * Rows of other kinds are passed on, in order of time. After a `gap` the book starts again with the next candle.
 */
export class CandlePath {
  readonly #nearestFirst: boolean;
  readonly #halfSpread: number;
  #out = new RowBuilder();
  #open = { time: 0, price: 0, length: 0 };
  #high = 0;
  #low = 0;
  /** The current candle. Its points are computed when they are reached, because a tape has hundreds of thousands of candles. */
  #candle: Candle = NO_CANDLE;
  /** The resting size on either side. */
  #depth = 0;
  /** The prices of the path's points, and the index of the next one. */
  readonly #prices: number[] = [];
  #next = 0;
  /** The price before its first point. */
  #before = 0;
  /** The volume and the moves left for the points ahead. */
  #volumeLeft = 0;
  #movesLeft = 0;
  /** The price on the path and the quotes around it; NaN before the first candle and in a gap. */
  #price = Number.NaN;
  #bid = Number.NaN;
  #ask = Number.NaN;
  #marksAreRecorded = false;

  constructor({ path, halfSpreadBps }: CandlePathOptions) {
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
    const code = rows.codes[at]!;
    const time = rows.times[at]!;
    const price = rows.prices[at]!;
    const size = rows.sizes[at]!;
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
    this.#depth = Math.max(1, Math.floor((this.#candle === NO_CANDLE ? candle : this.#candle).volume / DEPTH_PARTS));
    this.#candle = candle;
    this.#before = Number.isNaN(this.#price) ? candle.open : this.#price;
    this.#next = 0;
    this.#setCorners(candle);
    this.#volumeLeft = candle.volume;
    this.#movesLeft = 0;
    for (let point = 0; point < this.#prices.length; point++) if (this.#prices[point] !== this.#priceBefore(point)) this.#movesLeft++;
    this.#walk(candle.time);
  }

  #setCorners({ open, high, low, close }: Candle): void {
    const lowIsNearer = open - low <= high - open;
    const lowFirst = this.#nearestFirst || close === open ? lowIsNearer : close > open;
    this.#prices.length = 0;
    this.#prices.push(open, lowFirst ? low : high, lowFirst ? high : low, close);
  }

  #priceBefore(point: number): number {
    return point === 0 ? this.#before : this.#prices[point - 1]!;
  }

  #walk(until: Stamp): void {
    while (this.#next < this.#prices.length) {
      const due = this.#dueOf(this.#next);
      if (due > until) return;
      this.#step(due);
    }
  }

  #dueOf(point: number): Stamp {
    const { time, length } = this.#candle;
    return point === 0 ? time : time + Math.max(0, length - CLOSING_STAMPS);
  }

  /** Moves the price to the next point: a trade on the way to it, then the quotes around it. */
  #step(time: Stamp): void {
    const point = this.#next++;
    const from = this.#priceBefore(point);
    const price = this.#prices[point]!;
    const traded = price === from ? 0 : Math.floor(this.#volumeLeft / this.#movesLeft--);
    this.#volumeLeft -= traded;
    if (traded > 0 && price < from) this.#emit(time, TRADE.ask, price + 1, traded);
    if (traded > 0 && price > from) this.#emit(time, TRADE.bid, price - 1, traded);
    this.#quote(time, price);
    if (!this.#marksAreRecorded) this.#emit(time, MARK, price, 0);
  }

  #quote(time: Stamp, price: number): void {
    const half = Math.max(1, Math.round(price * this.#halfSpread));
    const bid = Math.max(1, price - half);
    const ask = price + half;
    const depth = this.#depth;
    const isFirst = Number.isNaN(this.#price);
    if (isFirst) this.#emit(time, CLEAR, 0, 0);
    if (!isFirst && this.#bid !== bid) this.#emit(time, LEVEL.bid, this.#bid, 0);
    if (!isFirst && this.#ask !== ask) this.#emit(time, LEVEL.ask, this.#ask, 0);
    this.#emit(time, LEVEL.bid, bid, depth);
    this.#emit(time, LAST_ASK, ask, depth);
    this.#price = price;
    this.#bid = bid;
    this.#ask = ask;
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
