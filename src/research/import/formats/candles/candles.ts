// Reads candles or funding rates of any program, as delimited text, JSON or Parquet; recognised by the names of the columns.
//   row-parser.ts   lines → rows of named values; delimited.ts and json-records.ts split them
//   columns.ts      recognises the columns by their names; column-checks.ts checks each as a whole
//   times.ts        reads times in any unit; local-time.ts those without a zone, time-zone.ts has the zones
//   market-name.ts  compares the names of markets

import { basename } from 'node:path';
import { docsFile } from '../../../../base/package.ts';
import { STAMPS_PER_MILLI, type Stamp, stampText } from '../../../../embedded/rows/rows.ts';
import type { CandleMessage, FeedMessage, Format, LayoutFacts, LineReader, Listener, ReaderOptions } from '../feed-message.ts';
import { Malformed, plainDecimal, shortened } from '../fields.ts';
import { ColumnChecks } from './column-checks.ts';
import { type ColumnRole, hasColumnNames, isAmount } from './columns.ts';
import { separatorIn, splitLine } from './delimited.ts';
import { timeOf } from './local-time.ts';
import { isSameMarket, marketInFileName } from './market-name.ts';
import { createRowParser, type ParsedRow, type RowParser } from './row-parser.ts';
import { timeZoneOf } from './time-zone.ts';

export const candles: Format = {
  holds: `a time, open, high, low, close and volume, or a time and funding_rate; ${docsFile('backtests.md')} lists the names of columns`,
  looksLike: (line) => /^[\w". ]+[,;\t|]/.test(line) && hasColumnNames(splitLine(line, separatorIn(line)).values),
  reader: candlesReader,
};

/** Funding is settled on the hour. Exchanges record the time of the booking, which is up to 24 minutes later. */
const HOUR: Stamp = 3_600_000 * STAMPS_PER_MILLI;

interface NumberedMessage {
  readonly message: FeedMessage;
  readonly row: ParsedRow;
  readonly line: number;
}

function candlesReader(listener: Listener, options: ReaderOptions): LineReader {
  const { market, sort = false, timezone, volume } = options;
  const zone = timezone === undefined ? undefined : timeZoneOf(timezone);
  const parser = createRowParser({ market, volume });
  const units = new Map<string, number>();
  const unsorted: NumberedMessage[] = [];
  let last: FeedMessage | undefined;
  let checks: ColumnChecks | undefined;
  refuseOtherFile(options);

  /** Passes a message on. Throws `Malformed` if it is not later than the one before. */
  function emit({ message, row, line }: NumberedMessage): void {
    try {
      if (last !== undefined) checkOrder(message, { last, row });
    } catch (error) {
      throw error instanceof Malformed ? error.at(line) : error;
    }
    last = message;
    listener.emit(message);
  }
  /** Checks a row and passes its message on; with --sort at the end of the file. */
  function take(row: ParsedRow, line: number): void {
    const { stamp, unit } = timeOf(row, zone, last?.time);
    units.set(unit, (units.get(unit) ?? 0) + 1);
    if (row.columns.indices.symbol !== undefined) checkSymbol(row.text('symbol'), { market, row, listener });
    const message = row.columns.holds === 'candles' ? candleOf(row, stamp, volume) : settlementOf(row, stamp);
    checks ??= new ColumnChecks(row.columns, { assumed: isAmount(volume) });
    checks.add(row);
    if (sort) unsorted.push({ message, row, line });
    else emit({ message, row, line });
  }
  return {
    line(text, number) {
      for (const row of parser.push(text)) take(row, number);
      if (units.size === 0 && parser.symbol !== undefined) checkTicker(parser.symbol, { market, listener });
    },
    end() {
      parser.end();
      unsorted.sort((a, b) => a.message.time - b.message.time);
      unsorted.forEach(emit);
      const facts = factsOf(parser, units);
      const remarks = wholeFile(() => checks?.end() ?? []);
      if (facts !== undefined) listener.layout?.({ ...facts, remarks });
    },
  };
}

/** Runs a check of the whole file. Its error is thrown without a line. */
function wholeFile<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof Malformed ? error.at(0) : error;
  }
}

/** Returns what the report of an import says about the columns. */
function factsOf({ columns, layout }: RowParser, units: ReadonlyMap<string, number>): Omit<LayoutFacts, 'remarks'> | undefined {
  if (columns === undefined || layout === undefined) return undefined;
  const { names, indices } = columns;
  const used = Object.entries(indices).filter(([role]) => role !== 'date' || indices.date !== indices.time);
  const roles: readonly string[] = columns.holds === 'candles' ? CANDLE_ROLES : ['time', 'rate'];
  const shown = used.filter(([role]) => roles.includes(role));
  return {
    layout,
    columns: Object.fromEntries(shown.map(([role, column]) => [role, names[column] ?? ''])),
    unused: names.filter((_, index) => !used.some(([, column]) => column === index)),
    units: Object.fromEntries(units),
  };
}

const CANDLE_ROLES: readonly string[] = ['time', 'open', 'high', 'low', 'close', 'volume'];

function checkOrder(message: FeedMessage, { last, row }: { last: FeedMessage; row: ParsedRow }): void {
  if (message.time < last.time)
    throw row.fault(
      'time',
      `is ${stampText(message.time)}, before that of the previous row, ${stampText(last.time)}`,
      'give --sort to sort the rows by time',
    );
  if (message.time === last.time && message.kind === 'candle')
    throw row.fault('time', `is ${stampText(message.time)} again: two rows are of the same candle`, 'remove one of them');
}

function checkSymbol(symbol: string, { market, row, listener }: { market: string | undefined; row: ParsedRow; listener: Listener }): void {
  if (market !== undefined && !isSameMarket(symbol, market))
    throw row.fault(
      'symbol',
      `is "${shortened(symbol)}", but --market is ${market}`,
      'give the file of one market, and its name with --market',
    );
  listener.symbol(symbol);
}

function checkTicker(symbol: string, { market, listener }: { market: string | undefined; listener: Listener }): void {
  if (market !== undefined && !isSameMarket(symbol, market))
    throw new Malformed(`is about ${shortened(symbol)}, but --market is ${market}`, 'give the file of that market, or another --market');
  listener.symbol(symbol);
}

/** Throws `Malformed` if the file name contains another market. */
function refuseOtherFile({ file, market }: ReaderOptions): void {
  if (file === undefined || market === undefined) return;
  const stated = marketInFileName(basename(file));
  if (stated === undefined || isSameMarket(stated, market)) return;
  throw new Malformed(
    `is of ${stated} by its name, but --market is ${market}`,
    'give the file of that market; or rename the file if its name is wrong',
  );
}

/** Two floats that differ by less are the same price with noise. */
const NOISE = 1e-9;

function candleOf(row: ParsedRow, time: Stamp, assumed: string | undefined): CandleMessage {
  const price = (role: ColumnRole): string => decimalOf(row, role);
  const [open, high, low, close] = [price('open'), price('high'), price('low'), price('close')];
  const volume = assumed !== undefined && isAmount(assumed) ? assumed : decimalOf(row, 'volume');
  const [top, bottom] = [Number(high), Number(low)];
  if (top < bottom * (1 - NOISE)) throw row.fault('high', `${high} is below the low, ${low}`, WRONG_CANDLE);
  for (const [role, text] of [
    ['open', open],
    ['close', close],
  ] as const) {
    if (Number(text) > top * (1 + NOISE)) throw row.fault(role, `${text} is above the high, ${high}`, WRONG_CANDLE);
    if (Number(text) < bottom * (1 - NOISE)) throw row.fault(role, `${text} is below the low, ${low}`, WRONG_CANDLE);
  }
  return { kind: 'candle', time, received: time, open, high, low, close, volume };
}

const WRONG_CANDLE = 'check the names of the columns, and correct or remove the row';

/** Reads a number of at least 0, and above 0 if it is a price. */
function decimalOf(row: ParsedRow, role: ColumnRole): string {
  const text = row.text(role);
  const isPrice = role !== 'volume';
  if (text === '') throw row.fault(role, 'is empty', 'fill it in, or remove the row; a candle that is absent is a gap');
  const plain = plainOf(text);
  if (plain === undefined) throw row.fault(role, `is "${shortened(text)}", not a number`, numberHint(text));
  if (plain.startsWith('-') || (isPrice && Number(plain) === 0))
    throw row.fault(role, `is ${text}, not ${isPrice ? 'a price above 0' : 'at least 0'}`, 'correct it, or remove the row');
  return plain;
}

function plainOf(text: string): string | undefined {
  try {
    return plainDecimal(text);
  } catch {
    return undefined;
  }
}

function numberHint(text: string): string {
  if (/^-?[\d.]*,\d+/.test(text)) return 'write numbers with a decimal point and without separators of thousands, as in 1234.5';
  return 'fill it in, or remove the row; a candle that is absent is a gap';
}

function settlementOf(row: ParsedRow, time: Stamp): FeedMessage {
  const text = row.text('rate');
  const rate = plainOf(text);
  if (rate === undefined)
    throw row.fault('rate', text === '' ? 'is empty' : `is "${shortened(text)}", not a number`, 'correct it, or remove the row');
  const settled = Math.floor(time / HOUR) * HOUR;
  return { kind: 'settlement', time: settled, received: settled, rate };
}
