// Writes the rows of one market of a paper run to the run's exchange and to a tape, in the same order.
import type { Millis } from '../../base/clock.ts';
import type { Book } from '../../bot/domain/book.ts';
import type { LiveInfo, MarketEvent } from '../../bot/domain/event.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { RowFeed } from '../exchange/recorded/recording.ts';
import { type Row, RowBuilder } from '../rows/row-builder.ts';
import { codeOf, type Rows, STAMPS_PER_MILLI } from '../rows/rows.ts';
import { createSorter, type Sorter } from '../tape/sorter.ts';
import type { TapeFacts, TapeWriter } from '../tape/writer.ts';
import { EventRows } from './event-rows.ts';
import type { When } from './market-rows.ts';

export interface PaperTapeOptions {
  readonly market: Market;
  readonly writer: TapeWriter;
  /** The row feed of the exchange. */
  readonly feed: RowFeed;
  /** Records rows before they are played; `before` is the number of rows of the tape without them. */
  readonly log: (before: number, rows: readonly Row[]) => void;
  /** Called with the released rows. */
  readonly released?: ((rows: Rows) => void) | undefined;
  /** The time at which the tape begins, or continues after a gap. */
  readonly begin: Millis;
}

/** Rows are held back until `release`, so that they are in order although they arrive by different polls. */
export class PaperTape {
  readonly #options: PaperTapeOptions;
  readonly #sorter: Sorter<Row>;
  readonly #events: EventRows;
  readonly #batch: Row[] = [];

  constructor(options: PaperTapeOptions) {
    const { market, begin, writer } = options;
    this.#options = options;
    this.#sorter = createSorter({
      window: Number.POSITIVE_INFINITY,
      after: begin * STAMPS_PER_MILLI,
      out: (row) => this.#batch.push(row),
      late: (row, behind) => ({ ...row, time: row.time + behind }),
    });
    this.#events = new EventRows({ market, add: (row) => this.#sorter.add(row), since: begin });
    if (writer.last !== undefined) this.#sorter.add(gapAt(begin));
  }

  /** Begins with the last book and info from before. */
  begin({ book, info }: { book: Book; info: LiveInfo | undefined }, lag: When['lag']): void {
    this.#events.begin({ book, info }, { time: this.#options.begin * STAMPS_PER_MILLI, lag });
  }

  see(event: MarketEvent): void {
    this.#events.see(event);
  }

  /** Marks a gap from this time until the next book. */
  gap(at: Millis): void {
    this.#events.gap(at * STAMPS_PER_MILLI);
  }

  /** Writes and plays all rows up to `until`, inclusive. Older rows that arrive later are moved after it. */
  release(until: Millis): void {
    const { feed } = this.#options;
    this.#sorter.release(until * STAMPS_PER_MILLI);
    if (this.#batch.length > 0) this.#play(this.#batch.splice(0));
    feed.cover(until * STAMPS_PER_MILLI + 1);
  }

  /** Ends the tape with a gap at `at`. All rows up to a millisecond before must have been released. */
  end(at: Millis): void {
    try {
      this.#sorter.add(gapAt(at));
      this.release(at);
    } finally {
      this.#options.feed.end();
    }
  }

  checkpoint(): Promise<void> {
    return this.#options.writer.checkpoint();
  }

  /** Completes the tape with the rows that were played. */
  close(): Promise<TapeFacts> {
    return this.#options.writer.close();
  }

  #play(batch: readonly Row[]): void {
    const { writer, feed, log, released } = this.#options;
    log(writer.rows, batch);
    const builder = new RowBuilder({ capacity: batch.length });
    for (const row of batch) {
      writer.add(row);
      builder.add(row);
    }
    const rows = builder.take();
    feed.push(rows);
    released?.(rows);
  }
}

const gapAt = (at: Millis): Row => ({ time: at * STAMPS_PER_MILLI, lag: 0, code: codeOf('gap'), price: 0, size: 0 });
