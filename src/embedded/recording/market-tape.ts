// Writes the tape of one market of a hosted exchange: its market events, in order of time.
import type { MarketEvent } from '../../bot/domain/event.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { Row } from '../rows/row-builder.ts';
import { codeOf, type Stamp } from '../rows/rows.ts';
import { createSorter, type Sorter } from '../tape/sorter.ts';
import type { TapeFacts, TapeWriter } from '../tape/writer.ts';
import { EventRows } from './event-rows.ts';

/** Trades may arrive this much later than newer books. */
const DISORDER: Stamp = 10_000_000;

/** If the writer continues a tape, a gap is marked between its last row and the first new one. */
export class MarketTape {
  rows = 0;
  readonly #writer: TapeWriter;
  readonly #sorter: Sorter<Row>;
  readonly #events: EventRows;

  constructor(market: Market, writer: TapeWriter) {
    this.#writer = writer;
    if (writer.last !== undefined) writer.add({ time: writer.last, lag: 0, code: codeOf('gap'), price: 0, size: 0 });
    this.#sorter = createSorter({
      window: DISORDER,
      after: writer.last,
      out: (row) => writer.add(row),
      late: (row, behind) => ({ ...row, time: row.time + behind }),
    });
    const add = (row: Row): void => {
      this.rows++;
      this.#sorter.add(row);
    };
    this.#events = new EventRows({ market, add });
  }

  see(event: MarketEvent): void {
    this.#events.see(event);
  }

  checkpoint(): Promise<void> {
    return this.#writer.checkpoint();
  }

  close(): Promise<TapeFacts> {
    this.#sorter.end();
    return this.#writer.close();
  }
}
