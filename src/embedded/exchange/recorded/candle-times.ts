// Puts the rows of a tape of candles into the order in which an exchange plays them: a candle at its opening, and its end where that is due.
import { RowBuilder } from '../../rows/row-builder.ts';
import { codeOf, KIND_BITS, LAST_BIT, ROW, type RowKind, type Rows, STAMPS_PER_MILLI, type Stamp } from '../../rows/rows.ts';

/** How long before the end of a candle its extremes and its close are played: the exchange counts whole milliseconds. */
export const CLOSING_STAMPS: Stamp = STAMPS_PER_MILLI;

const CODES = { open: codeOf('open'), high: codeOf('high'), low: codeOf('low'), close: codeOf('close') } as const;
const END = codeOf('close', { last: true });

/** True for the row that ends a candle. */
export const isEndOfCandle = (code: number): boolean => (code & (KIND_BITS | LAST_BIT)) === END;

/** Rows of other kinds are passed on. If candles overlap, the older one ends where the newer one begins. */
export class CandleTimes {
  #out = new RowBuilder();
  #open = { time: 0, price: 0, size: 0 };
  #high = 0;
  #low = 0;
  /** When the current candle ends; infinity if it has ended. */
  #due: Stamp = Number.POSITIVE_INFINITY;

  /** Returns all rows up to the last of the given ones; a later end waits for the next call. */
  rows(rows: Rows): Rows {
    this.#out = new RowBuilder({ capacity: 2 * rows.count + 1, orders: rows.orders !== undefined }); // a candle of four rows becomes five
    for (let at = 0; at < rows.count; at++) this.#take(rows, at);
    return this.#out.take();
  }

  /** Returns the end of the last candle. */
  end(): Rows {
    this.#endBy(Number.POSITIVE_INFINITY);
    return this.#out.take();
  }

  #take(rows: Rows, at: number): void {
    const code = rows.codes[at]!;
    const time = rows.times[at]!;
    const price = rows.prices[at]!;
    const size = rows.sizes[at]!;
    switch (code & KIND_BITS) {
      case ROW.open:
        this.#open = { time, price, size };
        return;
      case ROW.high:
        this.#high = price;
        return;
      case ROW.low:
        this.#low = price;
        return;
      case ROW.close:
        return this.#begin(price, size);
      default:
        this.#endBy(time);
        this.#out.add({ time, lag: rows.lags[at]!, code, price, size, order: rows.orders?.[at] });
    }
  }

  #begin(close: number, volume: number): void {
    const { time, price, size } = this.#open;
    this.#endBy(time);
    if (this.#due !== Number.POSITIVE_INFINITY) this.#end(time);
    this.#add('open', time, price, size);
    this.#add('high', time, this.#high, 0);
    this.#add('low', time, this.#low, 0);
    this.#add('close', time, close, volume);
    this.#due = time + Math.max(0, size * STAMPS_PER_MILLI - CLOSING_STAMPS);
    this.#endBy(time);
  }

  #endBy(until: Stamp): void {
    if (this.#due <= until && this.#due !== Number.POSITIVE_INFINITY) this.#end(this.#due);
  }

  #end(time: Stamp): void {
    this.#out.put(time, 0, END, 0, 0, 0);
    this.#due = Number.POSITIVE_INFINITY;
  }

  #add(kind: Extract<RowKind, keyof typeof CODES>, time: Stamp, price: number, size: number): void {
    this.#out.put(time, 0, CODES[kind], price, size, 0);
  }
}
