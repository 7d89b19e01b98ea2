// Reads candles or funding rates from CSV files; the column names say which.
import { STAMPS_PER_MILLI, type Stamp } from '../../../domain/rows.ts';
import { type Cells, type Csv, createCsv } from './csv.ts';
import type { FeedMessage, Format, LineReader, Listener } from './feed-message.ts';
import { Malformed, plainDecimal } from './fields.ts';

export const candles: Format = {
  holds: `comma-separated values under "time_ms,open,high,low,close,volume" or "time_ms,funding_rate"`,
  looksLike: (line) => line.startsWith('time_ms,'),
  reader: candlesReader,
};

/** Funding is settled on the hour, but the recorded time is that of the booking, up to 24 minutes later. */
const HOUR: Stamp = 3_600_000 * STAMPS_PER_MILLI;

function candlesReader({ emit }: Listener): LineReader {
  let csv: Csv | undefined;
  let read: (cells: Cells) => FeedMessage;
  return {
    line(text) {
      if (csv !== undefined) return emit(read(csv.cells(text)));
      csv = createCsv(text);
      read = rowReader(csv);
    },
    end: () => undefined,
  };
}

function rowReader(csv: Csv): (cells: Cells) => FeedMessage {
  if (csv.has('time_ms', 'open', 'high', 'low', 'close', 'volume')) return candleOf;
  if (csv.has('time_ms', 'funding_rate')) return settlementOf;
  throw new Malformed(`has the columns ${csv.columns.join(',')}; expected ${candles.holds}`);
}

const times = (time: Stamp): { time: Stamp; received: Stamp } => ({ time, received: time });
const timeOf = (cells: Cells): Stamp => cells.whole('time_ms') * STAMPS_PER_MILLI;

function candleOf(cells: Cells): FeedMessage {
  const value = (column: string): string => plainDecimal(cells.text(column));
  const prices = { open: value('open'), high: value('high'), low: value('low'), close: value('close') };
  return { kind: 'candle', ...times(timeOf(cells)), ...prices, volume: value('volume') };
}

function settlementOf(cells: Cells): FeedMessage {
  return { kind: 'settlement', ...times(Math.floor(timeOf(cells) / HOUR) * HOUR), rate: plainDecimal(cells.text('funding_rate')) };
}
