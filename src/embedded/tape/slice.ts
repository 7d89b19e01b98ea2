// Writes a part of a tape as a new tape, which begins with the state of the market then: the book, the mark and index price, the funding rate.
import { UserError } from '../../base/errors.ts';
import type { Side } from '../../bot/domain/book.ts';
import type { Row } from '../rows/row-builder.ts';
import { ASK_BIT, codeOf, KIND_BITS, ROW, type RowKind, type Rows, STAMPS_PER_MILLI, type Stamp, stampText } from '../rows/rows.ts';
import type { TapeHeader } from './header.ts';
import type { Tape } from './reader.ts';
import { createTape, type TapeFacts, type TapeWriter } from './writer.ts';

export interface Slice {
  /** Start of the part, inclusive. Default: the beginning of the tape. */
  readonly from?: Stamp | undefined;
  /** End of the part, exclusive. Default: the end of the tape. */
  readonly to?: Stamp | undefined;
}

/** Writes the rows of a tape from `from` until before `to`. Throws a `UserError` if there are none, or the file cannot be written. */
export async function sliceTape(
  tape: Tape,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: Slice,
  out: string,
): Promise<TapeFacts> {
  const state = new MarketAtStart(tape.header);
  let writer: TapeWriter | undefined;
  try {
    for await (const rows of tape.blocks()) {
      for (let at = 0; at < rows.count; at += 1) {
        const row = rowAt(rows, at);
        if (row.time >= to) break;
        if (row.time < from) state.take(row);
        else {
          writer ??= await begin(tape, { state, from, first: row, out });
          writer.add(row);
        }
      }
      await writer?.flush();
      if ((rows.times[rows.count - 1] ?? 0) >= to) break;
    }
    if (writer !== undefined) return await writer.close();
  } catch (error) {
    await writer?.abort();
    throw error;
  }
  const { first, last } = tape.facts;
  const message = `${tape.file} has no rows in that time: it holds ${stampText(first)} to ${stampText(last)}`;
  throw new UserError({ code: 'tape', message, hint: 'choose --from and --to within it' });
}

interface Beginning {
  readonly state: MarketAtStart;
  readonly from: Stamp;
  readonly first: Row;
  readonly out: string;
}

async function begin({ header }: Tape, { state, from, first, out }: Beginning): Promise<TapeWriter> {
  const price = state.price ?? first.price;
  const basePrice = price > 0 ? (price * (header.market.priceStep ?? 1)) / 10 ** header.market.priceDecimals : header.basePrice;
  const { made: _, ...rest } = header; // a part is not what made the whole
  const source = `${header.source}, from ${stampText(Math.max(from, first.time))}`;
  const writer = await createTape(out, { ...rest, basePrice, source });
  if (Number.isFinite(from)) for (const row of state.rows(from)) writer.add(row);
  return writer;
}

export function rowAt({ times, lags, codes, prices, sizes, orders }: Rows, at: number): Row {
  return { time: times[at]!, lag: lags[at]!, code: codes[at]!, price: prices[at]!, size: sizes[at]!, order: orders?.[at] };
}

const PRICED: ReadonlySet<number> = new Set([ROW.trade, ROW.mark, ROW.open, ROW.close]);

/** The state of a market at a time, as the rows that restore it. */
class MarketAtStart {
  readonly #header: TapeHeader;
  /** Levels by side and price, or orders by id; the oldest order first, as it is the first in its queue. */
  readonly #resting = new Map<string, Row>();
  /** The newest mark, index and funding rate. */
  readonly #newest = new Map<number, Row>();
  /** True if the book is complete. */
  #isBookKnown = false;
  #inGap = false;
  /** The newest price, in ticks. */
  price: number | undefined;

  constructor(header: TapeHeader) {
    this.#header = header;
  }

  take(row: Row): void {
    const kind = row.code & KIND_BITS;
    if (PRICED.has(kind)) this.price = row.price;
    if (kind === ROW.gap || kind === ROW.clear) {
      this.#resting.clear();
      this.#inGap = kind === ROW.gap;
      this.#isBookKnown = kind === ROW.clear;
    }
    if (kind === ROW.mark || kind === ROW.index || kind === ROW.funding) this.#newest.set(kind, row);
    if (kind === ROW.level) this.#update(`${row.code & ASK_BIT} ${row.price}`, row);
    if (kind === ROW.order) this.#update(`${row.order}`, row);
  }

  /** Returns the rows of the state at `time`. */
  rows(time: Stamp): readonly Row[] {
    const now = { time, lag: 0, price: 0, size: 0 };
    const values = [...this.#newest.values()].flatMap((row) => this.#valueAt(row, time));
    if (this.#header.books === 'candles') return values;
    if (this.#inGap) return [...values, { ...now, code: codeOf('gap') }];
    if (!this.#isBookKnown) return values;
    const resting = [...this.#resting.values()];
    return [
      ...values,
      { ...now, code: codeOf('clear', { snapshot: true, last: resting.length === 0 }) },
      ...resting.map((row, index): Row => {
        const side: Side = (row.code & ASK_BIT) === 0 ? 'bid' : 'ask';
        const kind: RowKind = (row.code & KIND_BITS) === ROW.order ? 'order' : 'level';
        return { ...row, time, lag: 0, code: codeOf(kind, { side, snapshot: true, last: index === resting.length - 1 }) };
      }),
    ];
  }

  /** Sets the size of a level or an order. An order that changes its price becomes the newest. */
  #update(key: string, row: Row): void {
    const before = this.#resting.get(key);
    if (row.size === 0 || (before !== undefined && before.price !== row.price)) this.#resting.delete(key);
    if (row.size > 0) this.#resting.set(key, row);
  }

  /** Returns a row for `time`. A funding row has the time to the settlement; a past settlement is omitted. */
  #valueAt(row: Row, time: Stamp): readonly Row[] {
    if ((row.code & KIND_BITS) !== ROW.funding) return [{ ...row, time, lag: 0 }];
    const left = row.price - Math.round((time - row.time) / STAMPS_PER_MILLI);
    return left < 0 ? [] : [{ ...row, time, lag: 0, price: left }];
  }
}
