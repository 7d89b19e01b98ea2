// The path of the price inside a candle: the price stands at the open until the end of the candle, where its whole range is played at once.
import type { Side } from '../../../bot/domain/book.ts';
import { type Lots, lots, type Ticks, ticks } from '../../../bot/domain/numbers.ts';
import { RowBuilder } from '../../rows/row-builder.ts';
import { codeOf, ROW, type Rows, type Stamp } from '../../rows/rows.ts';

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

/** A twelfth of the volume rests on either side at each point. */
const DEPTH_PARTS = 12;

/** What happens on the path. */
export interface PathEvents {
  /** A trade of others, by the side of its taker. */
  trade(takerSide: Side, price: Ticks, size: Lots, time: Stamp): void;
  /** Rows of kind `level` and `clear`, valid during the call. */
  quotes(rows: Rows): void;
  mark(price: Ticks, time: Stamp): void;
}

/** A bid and an ask. */
export interface Quotes {
  readonly bid: number;
  readonly ask: number;
}

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
 * The points at the end of a candle are made when they are played, because only then it is known whether one of our orders can meet them. If none can,
 * the quotes on the way change nothing, and are left out.
 *
 * Takes the rows of `CandleTimes` in their order. After a `gap` the book starts again with the next candle.
 */
export class CandlePath {
  readonly #nearestFirst: boolean;
  readonly #halfSpread: number;
  readonly #events: PathEvents;
  readonly #quotes = new RowBuilder({ capacity: 8 });
  #open = 0;
  #high = 0;
  #low = 0;
  /** The resting size on either side: of the current candle, and of the next. */
  #depth = 0;
  #nextDepth: number | undefined;
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

  constructor({ path, halfSpreadBps }: CandlePathOptions, events: PathEvents) {
    this.#events = events;
    this.#nearestFirst = path === 'nearest';
    this.#halfSpread = halfSpreadBps / 1e4;
  }

  /** Sees a row of the tape. */
  see(kind: number, price: number): void {
    if (kind === ROW.open) this.#open = price;
    else if (kind === ROW.high) this.#high = price;
    else if (kind === ROW.low) this.#low = price;
    else if (kind === ROW.gap) this.#price = Number.NaN;
    else if (kind === ROW.mark || kind === ROW.index) this.#marksAreRecorded = true;
  }

  /** Begins the candle that was seen: plays its open. */
  begin(time: Stamp, close: number, volume: number): void {
    const open = this.#open;
    const depth = Math.max(1, Math.floor(volume / DEPTH_PARTS));
    this.#depth = this.#nextDepth ?? depth;
    this.#nextDepth = depth;
    this.#before = Number.isNaN(this.#price) ? open : this.#price;
    this.#next = 0;
    this.#setCorners(close);
    this.#volumeLeft = volume;
    this.#movesLeft = 0;
    for (let point = 0; point < this.#prices.length; point++) if (this.#prices[point] !== this.#priceBefore(point)) this.#movesLeft++;
    this.#step(time, true);
  }

  /** True if the book of the current candle begins anew. */
  get beginsAnew(): boolean {
    return Number.isNaN(this.#price);
  }

  /** The lowest bid and the highest ask of the current candle. */
  get widest(): Quotes {
    return { bid: this.#bidAt(Math.min(...this.#prices)), ask: this.#askAt(Math.max(...this.#prices)) };
  }

  /** Plays the extremes and the close. `isWhole`: with the quotes at the extremes; otherwise with their trades and marks only. */
  end(time: Stamp, isWhole: boolean): void {
    while (this.#next < this.#prices.length) this.#step(time, isWhole || this.#next === this.#prices.length - 1);
  }

  #setCorners(close: number): void {
    const [open, high, low] = [this.#open, this.#high, this.#low];
    const lowIsNearer = open - low <= high - open;
    const lowFirst = this.#nearestFirst || close === open ? lowIsNearer : close > open;
    const prices = this.#prices;
    prices[0] = open;
    prices[1] = lowFirst ? low : high;
    prices[2] = lowFirst ? high : low;
    prices[3] = close;
  }

  #priceBefore(point: number): number {
    return point === 0 ? this.#before : this.#prices[point - 1]!;
  }

  /** Moves the price to the next point: a trade on the way to it, then the quotes around it. */
  #step(time: Stamp, hasQuotes: boolean): void {
    const point = this.#next++;
    const from = this.#priceBefore(point);
    const price = this.#prices[point]!;
    const traded = price === from ? 0 : Math.floor(this.#volumeLeft / this.#movesLeft--);
    this.#volumeLeft -= traded;
    if (traded > 0 && price < from) this.#events.trade('ask', ticks(price + 1), lots(traded), time);
    if (traded > 0 && price > from) this.#events.trade('bid', ticks(price - 1), lots(traded), time);
    if (hasQuotes) this.#quote(time, price);
    if (!this.#marksAreRecorded) this.#events.mark(ticks(price), time);
  }

  #quote(time: Stamp, price: number): void {
    const bid = this.#bidAt(price);
    const ask = this.#askAt(price);
    const depth = this.#depth;
    const isFirst = Number.isNaN(this.#price);
    if (isFirst) this.#emit(time, CLEAR, 0, 0);
    if (!isFirst && this.#bid !== bid) this.#emit(time, LEVEL.bid, this.#bid, 0);
    if (!isFirst && this.#ask !== ask) this.#emit(time, LEVEL.ask, this.#ask, 0);
    this.#emit(time, LEVEL.bid, bid, depth);
    this.#emit(time, LAST_ASK, ask, depth);
    this.#events.quotes(this.#quotes.lend());
    this.#price = price;
    this.#bid = bid;
    this.#ask = ask;
  }

  #bidAt(price: number): number {
    return Math.max(1, price - this.#halfAt(price));
  }

  #askAt(price: number): number {
    return price + this.#halfAt(price);
  }

  #halfAt(price: number): number {
    return Math.max(1, Math.round(price * this.#halfSpread));
  }

  #emit(time: Stamp, code: number, price: number, size: number): void {
    this.#quotes.put(time, 0, code, price, size, 0);
  }
}

const LEVEL = { bid: codeOf('level', { side: 'bid' }), ask: codeOf('level', { side: 'ask' }) };
const LAST_ASK = codeOf('level', { side: 'ask', last: true });
const CLEAR = codeOf('clear', { snapshot: true });
