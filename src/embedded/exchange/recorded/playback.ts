// Plays a recorded market: its rows are the other traders, the oracle and the funding schedule.
import { AssertionError, assert } from '../../../base/errors.ts';
import type { Side } from '../../../bot/domain/book.ts';
import { type Lots, lots, micros, type Ticks, ticks } from '../../../bot/domain/numbers.ts';
import { RowBuilder } from '../../rows/row-builder.ts';
import { ASK_BIT, codeOf, FUNDING_PARTS, KIND_BITS, LAST_BIT, ROW, type Rows, STAMPS_PER_MILLI, type Stamp } from '../../rows/rows.ts';
import type { TradeEntry } from '../history/trades.ts';
import { applyOracle } from '../rules/apply-oracle.ts';
import { fillByTraders } from '../rules/execution.ts';
import { payFunding } from '../rules/funding/pay-funding.ts';
import { STEP } from '../rules/step.ts';
import type { ExchangeAccount } from '../state/account.ts';
import { addAccount, type ExchangeState, nextAction } from '../state/exchange-state.ts';
import type { MarketDriver, MarketSource, RecordedQuotes, ShownQuotes } from '../state/market-source.ts';
import { type MarketState, mid } from '../state/market-state.ts';
import type { PriceUpdate } from '../state/prices.ts';
import { CandlePath, type PathEvents } from './candle-path.ts';
import { isEndOfCandle } from './candle-times.ts';
import { Schedule } from './funding-schedule.ts';
import { RecordedBook } from './recorded-fills.ts';
import type { Recording, RowFeed } from './recording.ts';

/**
 * All traders of the recording share one account of the exchange: the counterparty of our trades, and both sides of the recorded trades. It starts
 * empty, so its balance is what the other accounts have lost to it.
 */
export function recordedSource({ rows, queue, depth, fundingInterval, statistics = true, candles }: Recording): MarketSource {
  const book = new RecordedBook(depth === undefined ? { queue } : { queue, depth });
  const terms = new Schedule(fundingInterval);
  return {
    book,
    terms,
    open(state, marketState) {
      const recordedTraders = addAccount(state, { isOtherTrader: true });
      marketState.recordedTraders = recordedTraders.id;
      return new Playback({ state, marketState, recordedTraders, book, schedule: terms, feed: rows, statistics, candles });
    },
  };
}

interface PlaybackOptions {
  readonly state: ExchangeState;
  readonly marketState: MarketState;
  readonly recordedTraders: ExchangeAccount;
  readonly book: RecordedBook;
  readonly schedule: Schedule;
  readonly feed: RowFeed;
  /** True if candles of the mark and statistics of the day are kept. */
  readonly statistics: boolean;
  readonly candles: Recording['candles'];
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The row that must come before the market is known again: the first row of a snapshot, or its last one; `none` outside a gap. */
type GapPhase = 'none' | 'snapshot' | 'snapshot end';

/**
 * A gap of the recording freezes the market: no order can be placed or filled, prices stay, cancels are accepted. The gap ends with the first
 * complete snapshot; an order that the snapshot's prices have passed is then filled at its own price.
 */
class Playback implements MarketDriver {
  readonly #options: PlaybackOptions;
  #gapPhase: GapPhase = 'none';
  #indexSeen = false;
  #markSeen = false;
  readonly #path: CandlePath | undefined;
  /** Reused for every recorded trade: a tape has millions of them, and the log keeps none of its entries. */
  readonly #entry: Mutable<TradeEntry>;

  constructor(options: PlaybackOptions) {
    this.#options = options;
    const { marketState, recordedTraders, candles } = options;
    const pathEvents: PathEvents = {
      trade: (takerSide, price, size, time) => this.#playTrade(takerSide, price, size, time),
      quotes: (rows) => void this.#play(rows, 0, Number.POSITIVE_INFINITY),
      mark: (price, time) => this.#applyMark(price, time),
    };
    this.#path = candles && new CandlePath(candles, pathEvents);
    this.#entry = {
      time: 0,
      action: 0,
      market: marketState.market.id,
      takerId: recordedTraders.id,
      takerSide: 'bid',
      makerId: recordedTraders.id,
      order: 0,
      price: ticks(0),
      size: lots(0),
      makerFee: micros(0),
      takerFee: micros(0),
      liquidation: false,
    };
  }

  get next(): Stamp {
    return this.#options.feed.next;
  }

  /** True while steps change nothing but the candles of the mark. They may be left out; a span without events then has no candles of the mark. */
  get isIdleUntilNext(): boolean {
    return this.#markSeen;
  }

  get inGap(): boolean {
    return this.#gapPhase !== 'none';
  }

  get quotes(): RecordedQuotes | undefined {
    return quotesOf(this.#options.book);
  }

  showAt(price: Ticks, quotes: ShownQuotes): void {
    this.#play(rowsAround(price, quotes, this.#options.state.now * STAMPS_PER_MILLI), 0, Number.POSITIVE_INFINITY);
  }

  follow(until: Stamp): void {
    const { feed } = this.#options;
    for (let { rows } = feed; rows !== undefined; { rows } = feed) {
      const at = this.#play(rows, feed.at, until);
      feed.use(at);
      if (at < rows.count) return;
    }
    if (!feed.covers(until)) throw new AssertionError(`exchange time has overtaken the rows: ${until} and ${feed.covered}`);
  }

  /** Executes one step. If neither index nor mark is recorded, the mid of the book, including our orders, is the index. */
  step(): void {
    const { state, marketState, statistics } = this.#options;
    if (!this.inGap && !this.#markSeen) {
      const middle = mid(marketState);
      if (middle !== undefined && !this.#indexSeen) applyOracle(state, marketState, { index: ticks(Math.round(middle)) });
      marketState.prices.sample(middle, STEP);
    }
    if (statistics) marketState.candles.see(marketState.prices.mark, state.now);
  }

  /** Plays the rows of a block up to `until`; returns the index of the first remaining row. */
  #play(rows: Rows, from: number, until: Stamp): number {
    const end = firstAfter(rows, from, until);
    for (let at = from; at < end; ) at = this.#playNext(rows, at, end);
    return end;
  }

  /** Plays one row, or all book rows up to the next other row; returns the index of the first remaining row. */
  #playNext(rows: Rows, at: number, end: number): number {
    const { marketState, book } = this.#options;
    if (this.#gapPhase === 'snapshot' && kindAt(rows, at) === ROW.clear) this.#gapPhase = 'snapshot end';
    const next = this.#gapPhase === 'snapshot' || isOfCandle(rows, at) ? at : book.follow(rows, at, end);
    if (next === at) {
      this.#applyRow(rows, at);
      return at + 1;
    }
    marketState.bookChanges += next - at;
    this.#takeFills();
    if (this.#gapPhase === 'snapshot end' && completesBatch(rows, at, next)) this.#setGapPhase('none');
    return next;
  }

  #applyRow(rows: Rows, at: number): void {
    const { state, marketState, schedule } = this.#options;
    const time = rows.times[at]!;
    const price = rows.prices[at]!;
    // only rows of the tape, not those that the path makes itself
    if (rows === this.#options.feed.rows) this.#path?.see(kindAt(rows, at), price);
    this.#advanceTo(time);
    switch (kindAt(rows, at)) {
      case ROW.trade:
        return this.#playTrade((rows.codes[at]! & ASK_BIT) === 0 ? 'bid' : 'ask', ticks(price), lots(rows.sizes[at]!), time);
      case ROW.mark:
        return this.#applyMark(ticks(price), time);
      case ROW.index:
        return this.#applyIndex(ticks(price), time);
      case ROW.funding:
        schedule.expect({ due: Math.round(time / STAMPS_PER_MILLI) + price, rate: rateAt(rows, at) });
        return;
      case ROW.settlement: {
        const rate = rateAt(rows, at);
        if (schedule.recordPayment(state.now, rate)) payFunding(state, [{ marketState, rate }]);
        return;
      }
      case ROW.gap:
        this.#setGapPhase('snapshot');
        return;
      case ROW.open:
      case ROW.high:
      case ROW.low:
        return;
      case ROW.close:
        return this.#followPath(rows, at);
      default:
        assert(this.inGap, `a row of code ${rows.codes[at]} cannot be played by an exchange`);
    }
  }

  /** Plays the open of a candle, or its end. */
  #followPath({ times, codes, prices, sizes }: Rows, at: number): void {
    const path = this.#path;
    assert(path !== undefined, 'a row of a candle, in a recording that is not played as candles');
    const time = times[at]!;
    const isEnd = isEndOfCandle(codes[at]!);
    if (isEnd) path.end(time, this.#isReached(path));
    else path.begin(time, prices[at]!, sizes[at]!);
  }

  /** True if one of our orders rests at or between the quotes of the candle, or if the book begins anew with it. */
  #isReached(path: CandlePath): boolean {
    const { bid, ask } = this.#options.book.ownBest;
    if (path.beginsAnew || this.inGap) return true;
    if (bid === undefined && ask === undefined) return false;
    const widest = path.widest;
    return (bid ?? Number.NEGATIVE_INFINITY) >= widest.bid || (ask ?? Number.POSITIVE_INFINITY) <= widest.ask;
  }

  /** Until an index is recorded, the mark is used as the index too. */
  #applyMark(mark: Ticks, time: Stamp): void {
    this.#advanceTo(time);
    if (this.inGap) return;
    this.#markSeen = true;
    this.#applyPrice(mark, this.#indexSeen ? undefined : mark);
  }

  #applyIndex(index: Ticks, time: Stamp): void {
    this.#advanceTo(time);
    if (this.inGap) return;
    this.#indexSeen = true;
    this.#applyPrice(undefined, index);
  }

  #applyPrice(mark: PriceUpdate['mark'], index: PriceUpdate['index']): void {
    applyOracle(this.#options.state, this.#options.marketState, { mark, index });
  }

  /**
   * Plays a recorded trade: first fills our orders by the rules of the book. The public list shows our fills as separate trades at our orders'
   * prices, and the rest as one trade between others; their sum is the recorded size, unless our fills exceed it.
   */
  #playTrade(takerSide: Side, price: Ticks, size: Lots, time: Stamp): void {
    const { state, marketState, book, statistics } = this.#options;
    this.#advanceTo(time);
    if (this.inGap) return;
    book.trade(takerSide, price, size, time);
    const left = lots(size - this.#takeFills());
    if (left <= 0) return;
    const entry = this.#entry;
    entry.time = state.now;
    entry.action = nextAction(state);
    entry.order = ++state.orders;
    entry.takerSide = takerSide;
    entry.price = price;
    entry.size = left;
    if (statistics) marketState.statistics.add(entry, marketState.market.notional(price, left));
    state.trades.record(entry);
  }

  /** Books the fills of our orders; returns the sum of their sizes. */
  #takeFills(): number {
    const { state, marketState, book } = this.#options;
    let total = 0;
    for (const { handle, price, size, time } of book.takeOwnFills()) {
      this.#advanceTo(time);
      fillByTraders(state, marketState, marketState.resting.get(handle)!, { price, size });
      total += size;
    }
    return total;
  }

  /** Advances exchange time, in whole milliseconds: a row within a millisecond takes effect at the end of the millisecond. */
  #advanceTo(time: Stamp): void {
    const { state } = this.#options;
    state.now = Math.max(state.now, Math.ceil(time / STAMPS_PER_MILLI));
  }

  #setGapPhase(phase: GapPhase): void {
    this.#gapPhase = phase;
    this.#options.marketState.frozen = this.inGap;
  }
}

const rateAt = (rows: Rows, at: number): number => rows.sizes[at]! / FUNDING_PARTS;

/** Returns the first row from `from` on that is later than `until`. Searches with doubling strides, because most results are near. */
function firstAfter({ count, times }: Rows, from: number, until: Stamp): number {
  let low = from;
  let high = from;
  for (let stride = 1; high < count && times[high]! <= until; stride *= 2) {
    low = high + 1;
    high += stride;
  }
  high = Math.min(high, count);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! <= until) low = middle + 1;
    else high = middle;
  }
  return low;
}

const kindAt = (rows: Rows, at: number): number => rows.codes[at]! & KIND_BITS;

const isOfCandle = (rows: Rows, at: number): boolean => kindAt(rows, at) >= ROW.open;

/** True if one of these rows completes a batch. */
function completesBatch(rows: Rows, from: number, until: number): boolean {
  for (let at = from; at < until; at++) if ((rows.codes[at]! & LAST_BIT) !== 0) return true;
  return false;
}

/** Returns the recorded quotes; undefined while a side is empty. */
function quotesOf(book: RecordedBook): RecordedQuotes | undefined {
  const [bid, ask] = [book.recordedTop('bid'), book.recordedTop('ask')];
  if (bid === undefined || ask === undefined) return undefined;
  const halfSpread = Math.max(1, Math.round((ask.price - bid.price) / 2));
  return { price: ticks(bid.price + halfSpread), halfSpread, size: bid.size };
}

/**
 * Returns the rows that move the quotes of a candle to a price inside it, and a row of the mark if the quotes set the mark. Used at the end of a
 * candle to judge each stop and margin at its own price.
 */
function rowsAround(price: Ticks, { halfSpread, size, setsMark }: ShownQuotes, time: Stamp): Rows {
  const builder = new RowBuilder({ capacity: 4 });
  const add = (code: number, at: number, amount: number): void => builder.add({ time, lag: 0, code, price: at, size: amount });
  add(CLEAR, 0, 0);
  add(BID, Math.max(1, price - halfSpread), size);
  add(LAST_ASK, price + halfSpread, size);
  if (setsMark) add(MARK, price, 0);
  return builder.take();
}

const CLEAR = codeOf('clear', { snapshot: true });
const BID = codeOf('level', { side: 'bid' });
const LAST_ASK = codeOf('level', { side: 'ask', last: true });
const MARK = codeOf('mark');
