// Turns observations of one market into tape rows. A book is written as its differences from the previous one.
import { HOUR, type Millis } from '../../base/clock.ts';
import { type Book, type Level, SIDES, type Side } from '../../bot/domain/book.ts';
import type { LiveInfo } from '../../bot/domain/event.ts';
import type { MarketSpec } from '../../bot/domain/market.ts';
import type { Trade } from '../../bot/domain/order.ts';
import type { Row } from '../rows/row-builder.ts';
import { codeOf, FUNDING_PARTS, type RowKind, type RowMark, STAMPS_PER_MILLI, type Stamp } from '../rows/rows.ts';
import type { TapeHeader } from '../tape/header.ts';

/** Exchange time, and how much later the recorder received it. */
export interface When {
  readonly time: Stamp;
  readonly lag: Stamp;
}

/** The hosted and the embedded exchange both quote hourly rates and pay hourly. */
export const FUNDING_INTERVAL: Millis = HOUR;

/** Returns the funding interval for a tape's header; none for a spot market. */
export const fundingOf = ({ kind, fundingHours = 1 }: Pick<MarketSpec, 'kind' | 'fundingHours'>): Pick<TapeHeader, 'fundingIntervalMs'> =>
  kind === 'perp' ? { fundingIntervalMs: fundingHours * HOUR } : {};

type Totals = Map<number, number>;

export class MarketRows {
  readonly #add: (row: Row) => void;
  readonly #fundingHours: number;
  /** The last book; undefined before the first one and after a gap. */
  #lastBook: Record<Side, Totals> | undefined;
  /** The text of the last row of each kind, to omit rows that change nothing. */
  readonly #written = new Map<RowKind, string>();
  #inGap = false;

  /** `fundingHours`: of the market. */
  constructor(add: (row: Row) => void, { fundingHours = 1 }: Pick<MarketSpec, 'fundingHours'> = {}) {
    this.#add = add;
    this.#fundingHours = fundingHours;
  }

  /** Writes a book: complete if the previous one is unknown, otherwise the differences. */
  book({ bids, asks }: Book, when: When): void {
    const levels: Record<Side, readonly Level[]> = { bid: bids, ask: asks };
    const snapshot = this.#lastBook === undefined;
    if (snapshot) this.#addRow('clear', when, { snapshot });
    const book = this.#lastBook ?? { bid: new Map(), ask: new Map() };
    const changes = SIDES.flatMap((side) => takeChanges(book[side], levels[side]).map((change) => ({ side, ...change })));
    changes.forEach(({ side, price, size }, index) =>
      this.#addRow('level', when, { side, price, size, snapshot, last: index === changes.length - 1 }),
    );
    this.#lastBook = book;
    if (this.#inGap) this.#written.clear(); // an exchange that plays the tape ignores the prices of a gap
    this.#inGap = false;
  }

  trade({ takerSide: side, price, size }: Trade, when: When): void {
    this.#addRow('trade', when, { side, price, size });
  }

  /** Writes `mark` and `index` in ticks and the funding rate of a whole interval as a fraction, each only if it changed. */
  info({ mark, index, fundingRate, nextFunding, fundingPaid }: LiveInfo, when: When): void {
    if (mark !== undefined) this.#writeIfNew('mark', when, { price: mark });
    if (index !== undefined) this.#writeIfNew('index', when, { price: index });
    if (fundingRate === undefined || nextFunding === undefined || fundingPaid) return; // a paid rate is no announced one
    const price = Math.round(nextFunding - when.time / STAMPS_PER_MILLI); // in this row: the milliseconds until the payment
    this.#writeIfNew('funding', when, { price, size: partsOf(fundingRate * this.#fundingHours) }, `${nextFunding} ${fundingRate}`);
  }

  settlement(rate: number, when: When): void {
    this.#addRow('settlement', when, { size: partsOf(rate) });
  }

  /** Marks a gap: the market is unknown until the next book. */
  gap(when: When): void {
    if (this.#lastBook === undefined) return;
    this.#lastBook = undefined;
    this.#inGap = true;
    this.#addRow('gap', when);
  }

  #writeIfNew(kind: RowKind, when: When, values: Values, text = `${values.price ?? 0} ${values.size ?? 0}`): void {
    if (this.#written.get(kind) === text) return;
    this.#written.set(kind, text);
    this.#addRow(kind, when, values);
  }

  #addRow(kind: RowKind, { time, lag }: When, { price = 0, size = 0, ...mark }: Values = {}): void {
    this.#add({ time, lag, code: codeOf(kind, mark), price, size });
  }
}

interface Values extends RowMark {
  readonly price?: number;
  readonly size?: number;
}

const partsOf = (rate: number): number => Math.round(rate * FUNDING_PARTS);

/** Returns the levels that differ from the last book, removed ones first, and updates the last book. */
function takeChanges(lastBook: Totals, levels: readonly Level[]): readonly { price: number; size: number }[] {
  const now = new Map(levels.map(({ price, size }) => [price as number, size as number]));
  const gone = [...lastBook.keys()].filter((price) => !now.has(price)).map((price) => ({ price, size: 0 }));
  const present = [...now].filter(([price, size]) => lastBook.get(price) !== size).map(([price, size]) => ({ price, size }));
  for (const { price } of gone) lastBook.delete(price);
  for (const { price, size } of present) lastBook.set(price, size);
  return [...gone, ...present];
}
