// The recorded changes of one market as columns: one row per change, in order of exchange time, without an object per row.
import { timeText } from '../../base/text/duration.ts';
import type { Side } from '../../bot/domain/book.ts';

/** Microseconds since the Unix epoch, or a span of them. A double could not count nanoseconds exactly. */
export type Stamp = number;
export const STAMPS_PER_MILLI = 1_000;

/** Returns a time of a row in UTC, to the millisecond. */
export const stampText = (time: Stamp): string => timeText(time / STAMPS_PER_MILLI);

/**
 * The meaning of a row. `price` and `size` are ticks and lots unless another meaning is given here.
 *
 * - `level`: the total size that rests at a price of a side is now `size`; 0: none.
 * - `clear`: both sides are empty; the snapshot that follows is the whole book.
 * - `trade`: an execution; the side is the taker's.
 * - `mark`, `index`: the new mark or index price.
 * - `funding`: the rate of the next settlement; `price` is the number of milliseconds until then, `size` the rate in parts of 10^12.
 * - `settlement`: funding was settled at this moment; `size` is the rate in parts of 10^12.
 * - `gap`: nothing is known from this row until the next `clear`.
 * - `order`: the order with the id in `orders` now rests with `size` at a price of a side; 0: it is gone. A level's total is the sum of its orders.
 * - `open`, `high`, `low`, `close`: a candle, four rows with the time of its opening; the `size` of `open` is its length in milliseconds, that
 *   of `close` its volume.
 */
export const ROW = {
  level: 1,
  clear: 2,
  trade: 3,
  mark: 4,
  index: 5,
  funding: 6,
  settlement: 7,
  gap: 8,
  order: 9,
  open: 10,
  high: 11,
  low: 12,
  close: 13,
} as const;
export type RowKind = keyof typeof ROW;

/** The bits of a row's code: its kind, its side, whether it is the last row of one message, and whether it is part of a snapshot. */
export const KIND_BITS = 0x0f;
export const ASK_BIT = 0x10;
export const LAST_BIT = 0x20;
export const SNAPSHOT_BIT = 0x40;

export const FUNDING_PARTS = 1e12;

export interface RowMark {
  readonly side?: Side;
  /** The book is complete after this row. */
  readonly last?: boolean;
  readonly snapshot?: boolean;
}

export const codeOf = (kind: RowKind, { side = 'bid', last = false, snapshot = false }: RowMark = {}): number =>
  ROW[kind] | (side === 'ask' ? ASK_BIT : 0) | (last ? LAST_BIT : 0) | (snapshot ? SNAPSHOT_BIT : 0);

/** True for a code that `codeOf` can return: of a known kind, with an ask only if the kind has a side. */
export const isCode = (code: number): boolean => KNOWN_CODES[code] === 1;

const WITH_SIDE: ReadonlySet<number> = new Set([ROW.level, ROW.trade, ROW.order]);
const KNOWN_CODES = Uint8Array.from({ length: 256 }, (_, code) => {
  const kind = code & KIND_BITS;
  const known = kind >= ROW.level && kind <= ROW.close && code < 2 * SNAPSHOT_BIT;
  return Number(known && ((code & ASK_BIT) === 0 || WITH_SIDE.has(kind)));
});

/** The first `count` entries of each column are rows. Must not be changed. */
export interface Rows {
  readonly count: number;
  /** Exchange time, never descending. */
  readonly times: Float64Array;
  /** Receive time minus exchange time; negative if the recorder's clock was behind. */
  readonly lags: Float64Array;
  readonly codes: Uint8Array;
  readonly prices: Int32Array;
  readonly sizes: Float64Array;
  /** Ids of orders, if the exchange reported them: 0 in rows of other kinds. */
  readonly orders?: Float64Array | undefined;
}

/** Returns the rows from `start` (inclusive) to `end` (exclusive), as views of the same memory. */
export const rangeOfRows = ({ times, lags, codes, prices, sizes, orders }: Rows, start: number, end: number): Rows => ({
  count: end - start,
  times: times.subarray(start, end),
  lags: lags.subarray(start, end),
  codes: codes.subarray(start, end),
  prices: prices.subarray(start, end),
  sizes: sizes.subarray(start, end),
  orders: orders?.subarray(start, end),
});
