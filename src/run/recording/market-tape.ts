// Writes the tape of one market of a hosted exchange: its market events, in order of time.
import { unreachable } from '../../base/assert.ts';
import type { Millis } from '../../base/clock.ts';
import type { Book } from '../../domain/book.ts';
import type { MarketEvent } from '../../domain/event.ts';
import type { Market } from '../../domain/market.ts';
import type { Row } from '../../domain/row-builder.ts';
import { codeOf, STAMPS_PER_MILLI, type Stamp } from '../../domain/rows.ts';
import { createSorter, type Sorter } from '../../tape/sorter.ts';
import type { TapeFacts, TapeWriter } from '../../tape/writer.ts';
import { MarketRows, type When } from './market-rows.ts';

/** Trades may arrive this much later than newer books. */
const DISORDER: Stamp = 10_000_000;

/** If the writer continues a tape, a gap is marked between its last row and the first new one. */
export class MarketTape {
  rows = 0;
  readonly #market: Market;
  readonly #writer: TapeWriter;
  readonly #sorter: Sorter<Row>;
  readonly #marketRows: MarketRows;
  /** Time of the previous poll of trades, and of the last book. */
  #tradesKnown: Millis | undefined;
  #bookSeen: Stamp = 0;

  constructor(market: Market, writer: TapeWriter) {
    this.#market = market;
    this.#writer = writer;
    if (writer.last !== undefined) writer.add({ time: writer.last, lag: 0, code: codeOf('gap'), price: 0, size: 0 });
    this.#sorter = createSorter({
      window: DISORDER,
      after: writer.last,
      out: (row) => writer.add(row),
      late: (row, behind) => ({ ...row, time: row.time + behind }),
    });
    this.#marketRows = new MarketRows((row) => {
      this.rows++;
      this.#sorter.add(row);
    });
  }

  see(event: MarketEvent): void {
    switch (event.kind) {
      case 'bookSeen':
        if (event.book.market === this.#market.id) this.#book(event.book, halfway(event));
        return;
      case 'tradesSeen':
        if (event.market === this.#market.id) this.#trades(event);
        return;
      case 'infoSeen':
        for (const info of event.infos) if (info.market === this.#market.id) this.#marketRows.info(info, halfway(event));
        return;
      case 'healthSeen':
        if (event.stream === 'book' && event.market === this.#market.id && !event.healthy)
          this.#marketRows.gap({ time: this.#bookSeen, lag: 0 });
        return;
      case 'candlesSeen':
      case 'timeSeen':
        return;
      default:
        unreachable(event);
    }
  }

  checkpoint(): Promise<void> {
    return this.#writer.checkpoint();
  }

  close(): Promise<TapeFacts> {
    this.#sorter.end();
    return this.#writer.close();
  }

  #book(book: Book, when: When): void {
    this.#bookSeen = when.time;
    this.#marketRows.book(book, when);
  }

  /** Trades have exchange time, limited to the interval between this poll and the previous one by our clock. */
  #trades({ trades, at }: Extract<MarketEvent, { kind: 'tradesSeen' }>): void {
    const from = this.#tradesKnown ?? Number.NEGATIVE_INFINITY;
    for (const trade of trades) {
      const time = Math.min(at, Math.max(from, trade.time)) * STAMPS_PER_MILLI;
      this.#marketRows.trade(trade, { time, lag: at * STAMPS_PER_MILLI - time });
    }
    this.#tradesKnown = at;
  }
}

/** Returns the middle between request and answer: an answer shows the state at an unknown moment between them. */
function halfway({ asked, at }: { asked: Millis; at: Millis }): When {
  const time = Math.round(((asked + at) / 2) * STAMPS_PER_MILLI);
  return { time, lag: at * STAMPS_PER_MILLI - time };
}
