// Moves the recorded quotes of a candle to a price inside it: at the end of a candle stops and margins are judged at their own prices.
import { type Ticks, ticks } from '../../../bot/domain/numbers.ts';
import { RowBuilder } from '../../../bot/domain/rows/row-builder.ts';
import { codeOf, type Rows, type Stamp } from '../../../bot/domain/rows/rows.ts';
import type { ShownQuotes, StandingQuotes } from '../state/market-source.ts';
import type { RecordedBook } from './recorded-fills.ts';

/** Returns the recorded quotes; undefined while a side is empty. */
export function quotesOf(book: RecordedBook): StandingQuotes | undefined {
  const [bid, ask] = [book.recordedTop('bid'), book.recordedTop('ask')];
  if (bid === undefined || ask === undefined) return undefined;
  const half = Math.max(1, Math.round((ask.price - bid.price) / 2));
  return { price: ticks(bid.price + half), half, size: bid.size };
}

/** Returns the rows of a book with these quotes around a price, and of a mark if the quotes move it. */
export function rowsAround(price: Ticks, { half, size, movesMark }: ShownQuotes, time: Stamp): Rows {
  const builder = new RowBuilder({ capacity: 4 });
  const add = (code: number, at: number, amount: number): void => builder.add({ time, lag: 0, code, price: at, size: amount });
  add(CLEAR, 0, 0);
  add(BID, Math.max(1, price - half), size);
  add(LAST_ASK, price + half, size);
  if (movesMark) add(MARK, price, 0);
  return builder.take();
}

const CLEAR = codeOf('clear', { snapshot: true });
const BID = codeOf('level', { side: 'bid' });
const LAST_ASK = codeOf('level', { side: 'ask', last: true });
const MARK = codeOf('mark');
