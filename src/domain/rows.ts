// What was recorded of one market, as columns: one row a change, in order of exchange time, and never an object a row.
import type { Side } from './side.ts';

/** Microseconds since the Unix epoch, or a span of them: finer than a double could count nanoseconds. */
export type Stamp = number;
export const STAMPS_PER_MILLI = 1_000;

/**
 * What a row says. `price` and `size` are ticks and lots unless another meaning stands here.
 *
 * - `level`: the total that rests at a price of a side is now `size`; 0: nothing.
 * - `clear`: both sides are empty; what a snapshot says next is all there is.
 * - `trade`: an execution; the side is the taker's.
 * - `mark`, `index`: that price is now so.
 * - `funding`: the rate that will be settled next; `price` is the number of milliseconds until then, `size` the rate in parts of 10^12.
 * - `settlement`: funding was settled at this moment; `size` is the rate in parts of 10^12.
 * - `gap`: nothing is known from here until the next `clear`.
 * - `order`: the order named in `orders` now rests with `size` at a price of a side; 0: it is gone. Its level's total follows from its orders.
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

/** In a row's code: the kind, its side, and whether it is the last of what was told at once, or part of a snapshot. */
export const KIND_BITS = 0x0f;
export const ASK_BIT = 0x10;
export const LAST_BIT = 0x20;
export const SNAPSHOT_BIT = 0x40;

export const FUNDING_PARTS = 1e12;

export interface RowMark {
  readonly side?: Side;
  /** The book is whole after this row. */
  readonly last?: boolean;
  readonly snapshot?: boolean;
}

export const codeOf = (kind: RowKind, { side = 'bid', last = false, snapshot = false }: RowMark = {}): number =>
  ROW[kind] | (side === 'ask' ? ASK_BIT : 0) | (last ? LAST_BIT : 0) | (snapshot ? SNAPSHOT_BIT : 0);

/** Whether `codeOf` makes such a code: of a known kind, with an ask only where the kind has a side. */
export const isCode = (code: number): boolean => KNOWN_CODES[code] === 1;

const WITH_SIDE: ReadonlySet<number> = new Set([ROW.level, ROW.trade, ROW.order]);
const KNOWN_CODES = Uint8Array.from({ length: 256 }, (_, code) => {
  const kind = code & KIND_BITS;
  const known = kind >= ROW.level && kind <= ROW.close && code < 2 * SNAPSHOT_BIT;
  return Number(known && ((code & ASK_BIT) === 0 || WITH_SIDE.has(kind)));
});

/** The first `count` entries of each column are rows. Whoever holds it may not change it. */
export interface Rows {
  readonly count: number;
  /** Exchange time, never descending. */
  readonly times: Float64Array;
  /** Receive time less exchange time; negative where the recorder's clock was behind. */
  readonly lags: Float64Array;
  readonly codes: Uint8Array;
  readonly prices: Int32Array;
  readonly sizes: Float64Array;
  /** Names of orders, where the exchange told them: 0 in rows of other kinds. */
  readonly orders?: Float64Array | undefined;
}
