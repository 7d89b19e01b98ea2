// The observations of a market from the rows of a tape: a sample of its book once a second, and each of its trades.
import { ASK_BIT, KIND_BITS, ROW, type Rows, STAMPS_PER_MILLI } from '../../embedded/rows/rows.ts';
import { BookLevels } from './book-levels.ts';

const SECOND = 1_000 * STAMPS_PER_MILLI;
/** Levels of a side at which the depth is measured. */
const DEPTH = 3;

/** The book at the end of one second. Prices in ticks, sizes in lots. */
export interface BookSample {
  /** Seconds since the Unix epoch. */
  readonly second: number;
  readonly mid: number;
  readonly spread: number;
  /** Sizes at the best levels, bids then asks. */
  readonly sizes: readonly number[];
  /** Changes of the book within the second. */
  readonly changes: number;
  readonly mark: number | undefined;
  readonly index: number | undefined;
  /** The announced funding rate in units of 10^-12. */
  readonly rate: number | undefined;
}

export interface TradeSeen {
  /** Seconds since the Unix epoch, with fractions. */
  readonly at: number;
  /** 1 if the taker bought, -1 if it sold. */
  readonly sign: 1 | -1;
  readonly size: number;
  /** The mid before the trade; undefined if the book was not known. */
  readonly mid: number | undefined;
}

export interface Observations {
  /** Samples of the seconds in which the book was known. */
  readonly samples: readonly BookSample[];
  readonly trades: readonly TradeSeen[];
  /** Changes of the book: each is an order that was placed, moved, cancelled or filled. */
  readonly changes: number;
  /** Announced funding rates in units of 10^-12, one per change. */
  readonly funding: readonly number[];
}

/** Reads all rows of a tape. Candles are not measured. */
export async function observe(blocks: AsyncIterable<Rows>): Promise<Observations> {
  const observer = new Observer();
  for await (const rows of blocks) observer.take(rows);
  return observer;
}

class Observer implements Observations {
  readonly samples: BookSample[] = [];
  readonly trades: TradeSeen[] = [];
  readonly funding: number[] = [];
  changes = 0;
  #changesBefore = 0;
  readonly #bids = new BookLevels(-1);
  readonly #asks = new BookLevels(1);
  #second: number | undefined;
  #mark: number | undefined;
  #index: number | undefined;
  #whole = false;

  take({ count, times, codes, prices, sizes }: Rows): void {
    for (let at = 0; at < count; at += 1) {
      const time = times[at]!;
      this.#passSeconds(Math.floor(time / SECOND));
      this.#addRow(codes[at]!, { time, price: prices[at]!, size: sizes[at]! });
    }
  }

  /** Samples the book at the end of each second before this one. */
  #passSeconds(second: number): void {
    for (let passed = this.#second ?? second; passed < second; passed += 1) this.#sample(passed);
    this.#second = second;
  }

  #sample(second: number): void {
    const [bid, ask] = [this.#bids.best, this.#asks.best];
    const changes = this.changes - this.#changesBefore;
    this.#changesBefore = this.changes;
    if (!this.#whole || bid === undefined || ask === undefined || ask <= bid) return;
    const sizes = [...this.#bids.sizes(DEPTH), ...this.#asks.sizes(DEPTH)];
    this.samples.push({
      second,
      mid: (bid + ask) / 2,
      spread: ask - bid,
      sizes,
      changes,
      mark: this.#mark,
      index: this.#index,
      rate: this.funding.at(-1),
    });
  }

  #addRow(code: number, { time, price, size }: { time: number; price: number; size: number }): void {
    const isAsk = (code & ASK_BIT) !== 0;
    switch (code & KIND_BITS) {
      case ROW.level:
        (isAsk ? this.#asks : this.#bids).set(price, size);
        this.#whole = true;
        this.changes += 1;
        break;
      case ROW.clear:
      case ROW.gap:
        this.#bids.clear();
        this.#asks.clear();
        this.#whole = false;
        break;
      case ROW.trade:
        this.trades.push({ at: time / SECOND, sign: isAsk ? -1 : 1, size, mid: this.#mid() });
        break;
      case ROW.mark:
        this.#mark = price;
        break;
      case ROW.index:
        this.#index = price;
        break;
      case ROW.funding:
        this.funding.push(size);
        break;
      default: // candles, orders and settlements are not measured
    }
  }

  #mid(): number | undefined {
    const [bid, ask] = [this.#bids.best, this.#asks.best];
    return bid === undefined || ask === undefined ? undefined : (bid + ask) / 2;
  }
}
