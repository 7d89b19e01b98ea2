// One-second and one-minute candles of a market's mid price, with traded volume, for charts.
import { MINUTE, type Millis, SECOND } from '../../base/clock.ts';
import { Ring } from '../../base/collections/recent.ts';
import type { Book } from '../../bot/domain/book.ts';
import type { CandlesSeen } from '../../bot/domain/event.ts';
import type { Trade } from '../../bot/domain/order.ts';

/** Prices are in half ticks, so that the middle between two ticks is exact. `volume` is in lots. */
export interface MidCandle {
  readonly start: Millis;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** Number of one-second candles that are kept: 15 minutes. */
const KEPT_SECONDS = 900;
/** Number of one-minute candles that are kept: a day. */
const KEPT_MINUTES = 1_440;

export class PriceCandles {
  readonly #seconds = new MidCandleSeries(SECOND, KEPT_SECONDS);
  readonly #minutes = new MidCandleSeries(MINUTE, KEPT_MINUTES);

  get secondCandles(): readonly MidCandle[] {
    return this.#seconds.all();
  }

  get minuteCandles(): readonly MidCandle[] {
    return this.#minutes.all();
  }

  /** Ignores a book with an empty side, which has no mid price. */
  book({ bids, asks }: Book, at: Millis): void {
    const [bid, ask] = [bids[0], asks[0]];
    if (bid === undefined || ask === undefined) return;
    this.#seconds.price(bid.price + ask.price, at);
    this.#minutes.price(bid.price + ask.price, at);
  }

  trades(trades: readonly Trade[], at: Millis): void {
    for (const { size } of trades) {
      this.#seconds.volume(size, at);
      this.#minutes.volume(size, at);
    }
  }

  /** Adds one-minute candles of the exchange from before the run. */
  history({ candles, span = MINUTE }: Pick<CandlesSeen, 'candles' | 'span'>): void {
    if (span !== MINUTE) return;
    for (const { start, open, high, low, close, volume = 0 } of candles)
      this.#minutes.before({ start, open: 2 * open, high: 2 * high, low: 2 * low, close: 2 * close, volume });
  }
}

class MidCandleSeries {
  readonly #span: Millis;
  readonly #finished: Ring<MidCandle>;
  #current: MidCandle | undefined;

  constructor(span: Millis, kept: number) {
    this.#span = span;
    this.#finished = new Ring(kept);
  }

  all(): readonly MidCandle[] {
    const finished = this.#finished.values();
    return this.#current === undefined ? finished : [...finished, this.#current];
  }

  price(price: number, at: Millis): void {
    const start = at - (at % this.#span);
    const current = this.#current;
    if (current?.start === start) {
      current.high = Math.max(current.high, price);
      current.low = Math.min(current.low, price);
      current.close = price;
      return;
    }
    if (current !== undefined) this.#finished.push(current);
    this.#current = { start, open: price, high: price, low: price, close: price, volume: 0 };
  }

  /** Ignores volume before the first price. */
  volume(size: number, at: Millis): void {
    const current = this.#current;
    if (current !== undefined && at >= current.start) current.volume += size;
  }

  /** Adds a candle that is older than the current one; ignores others, because our own prices cover their time. */
  before(candle: MidCandle): void {
    const newest = this.#finished.values().at(-1);
    if (this.#current === undefined && (newest === undefined || newest.start < candle.start)) this.#finished.push(candle);
  }
}
