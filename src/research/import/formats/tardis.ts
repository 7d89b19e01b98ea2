// Reads Tardis CSV files. The kind of a file follows from its columns; times are in microseconds.

import type { Side } from '../../../bot/domain/book.ts';
import type { Stamp } from '../../../embedded/rows/rows.ts';
import type { BookMessage, FeedMessage, Format, LevelText, LineReader, Listener } from './feed-message.ts';
import { bestLevel, Malformed, plainDecimal } from './fields.ts';
import { type Cells, type Csv, createCsv } from './tardis-csv.ts';

export const tardis: Format = {
  holds: 'comma-separated values under "exchange,symbol,timestamp,local_timestamp,…"',
  looksLike: (line) => line.startsWith('exchange,symbol,'),
  reader: tardisReader,
};

/** Reads the lines of one kind of file and calls `emit` with each complete message. */
interface RowReader {
  row(cells: Cells, emit: (message: FeedMessage) => void): void;
  /** Emits a message that still waits for further rows. */
  end?(emit: (message: FeedMessage) => void): void;
}

const COMMON = ['exchange', 'symbol', 'timestamp', 'local_timestamp'];

const KINDS: readonly { readonly name: string; readonly columns: readonly string[]; readonly rows: (csv: Csv) => RowReader }[] = [
  { name: 'incremental_book_L2', columns: ['is_snapshot', 'side', 'price', 'amount'], rows: changeRows },
  { name: 'book_snapshot_N', columns: ['asks[0].price', 'asks[0].amount', 'bids[0].price', 'bids[0].amount'], rows: pollRows },
  { name: 'trades', columns: ['id', 'side', 'price', 'amount'], rows: () => each(tradeOf) },
  { name: 'quotes', columns: ['ask_amount', 'ask_price', 'bid_price', 'bid_amount'], rows: () => each(quoteOf) },
  { name: 'derivative_ticker', columns: ['funding_timestamp', 'funding_rate', 'index_price', 'mark_price'], rows: () => each(marksOf) },
];

/** The exchanges whose name does not say that they list spot markets. */
const SPOT_EXCHANGES: ReadonlySet<string> = new Set(
  'binance binance-us bitfinex bitstamp coinbase gate-io gemini huobi kraken kucoin okcoin okex poloniex upbit bitflyer'.split(' '),
);

function tardisReader({ emit, symbol, kind }: Listener): LineReader {
  let csv: Csv | undefined;
  let rows: RowReader | undefined;
  return {
    line(text) {
      if (csv === undefined) {
        csv = createCsv(text);
        rows = rowsUnder(csv);
        return;
      }
      const cells = csv.cells(text);
      const exchange = cells.text('exchange');
      symbol(`${exchange} ${cells.text('symbol')}`);
      if (SPOT_EXCHANGES.has(exchange)) kind?.('spot', `${exchange} lists spot markets`);
      rows?.row(cells, emit);
    },
    end: () => rows?.end?.(emit),
  };
}

function rowsUnder(csv: Csv): RowReader {
  const kind = KINDS.find(({ columns }) => csv.has(...COMMON, ...columns));
  if (kind !== undefined) return kind.rows(csv);
  throw new Malformed(`has none of the sets of columns that are read: ${KINDS.map(({ name }) => name).join(', ')}`);
}

/** One message per row. */
const each = (message: (cells: Cells) => FeedMessage): RowReader => ({ row: (cells, emit) => emit(message(cells)) });

const timesOf = (cells: Cells): { time: Stamp; received: Stamp } => ({
  time: cells.whole('timestamp'),
  received: cells.whole('local_timestamp'),
});

/** Joins rows into messages: changes with the same time of receipt, or all neighbouring rows that are marked as snapshot. */
function changeRows(): RowReader {
  let open: OpenBook | undefined;
  const close = (emit: (message: FeedMessage) => void): void => {
    if (open !== undefined) emit(bookOf(open));
    open = undefined;
  };
  return {
    row(cells, emit) {
      const snapshot = oneOf(cells, 'is_snapshot', ['true', 'false']) === 'true';
      const { time, received } = timesOf(cells);
      if (open?.snapshot !== snapshot || (!snapshot && open.received !== received)) close(emit);
      open = { snapshot, received, time: Math.max(open?.time ?? time, time), levels: open?.levels ?? { bid: [], ask: [] } };
      open.levels[oneOf(cells, 'side', ['bid', 'ask'])].push([decimal(cells, 'price'), decimal(cells, 'amount')]);
    },
    end: close,
  };
}

/** A message whose rows are still being read. */
interface OpenBook {
  readonly snapshot: boolean;
  readonly time: Stamp;
  readonly received: Stamp;
  readonly levels: Readonly<Record<Side, LevelText[]>>;
}

function bookOf({ snapshot, time, received, levels }: OpenBook): BookMessage {
  return { kind: 'book', how: snapshot ? 'snapshot' : 'change', time, received, bids: levels.bid, asks: levels.ask };
}

/** Each row has the best N levels of both sides; missing levels are empty cells. */
function pollRows({ has }: Csv): RowReader {
  const levels: Record<'bids' | 'asks', LevelColumns[]> = { bids: [], asks: [] };
  for (const side of ['bids', 'asks'] as const) {
    for (let level = 0; has(`${side}[${level}].price`, `${side}[${level}].amount`); level += 1) {
      levels[side].push({ price: `${side}[${level}].price`, amount: `${side}[${level}].amount` });
    }
  }
  return each((cells) => {
    const sides = { bids: levelsUnder(cells, levels.bids), asks: levelsUnder(cells, levels.asks) };
    return { kind: 'book', how: 'poll', ...timesOf(cells), ...sides };
  });
}

interface LevelColumns {
  readonly price: string;
  readonly amount: string;
}

const levelsUnder = (cells: Cells, columns: readonly LevelColumns[]): LevelText[] =>
  columns.filter(({ price }) => cells.text(price) !== '').map(({ price, amount }) => [decimal(cells, price), decimal(cells, amount)]);

/** The side is the taker's; some venues do not report it. */
function tradeOf(cells: Cells): FeedMessage {
  const side = oneOf(cells, 'side', ['buy', 'sell', 'unknown']);
  const deal = { side: side === 'sell' ? 'ask' : 'bid', price: decimal(cells, 'price'), size: decimal(cells, 'amount') } as const;
  return { kind: 'trade', ...timesOf(cells), ...deal, excluded: side === 'unknown' ? 'no side given' : undefined };
}

function quoteOf(cells: Cells): FeedMessage {
  const level = (side: Side): LevelText | undefined => {
    const [price, amount] = [cells.text(`${side}_price`), cells.text(`${side}_amount`)];
    return price === '' || amount === '' ? undefined : bestLevel(plainDecimal(price), plainDecimal(amount));
  };
  return { kind: 'best', ...timesOf(cells), bid: level('bid'), ask: level('ask') };
}

function marksOf(cells: Cells): FeedMessage {
  const known = (column: string): string | undefined => (cells.text(column) === '' ? undefined : decimal(cells, column));
  const funded = cells.text('funding_timestamp') !== '' && cells.text('funding_rate') !== '';
  return {
    kind: 'marks',
    ...timesOf(cells),
    mark: known('mark_price'),
    index: known('index_price'),
    ...(funded && { rate: decimal(cells, 'funding_rate'), due: cells.whole('funding_timestamp') }),
  };
}

const decimal = (cells: Cells, column: string): string => plainDecimal(cells.text(column));

function oneOf<Text extends string>(cells: Cells, column: string, texts: readonly Text[]): Text {
  const found = texts.find((text) => text === cells.text(column));
  if (found === undefined) throw new Malformed(`"${cells.text(column)}" in the column ${column} is not one of ${texts.join(', ')}`);
  return found;
}
