// Parses the lines of a candle file into rows of named values: delimited text with or without a header, or JSON.
import { Malformed, shortened } from '../fields.ts';
import { type ColumnRole, type Columns, columnsOf, hasColumnNames, keyOf, unnamedColumns, type WantedColumns } from './columns.ts';
import { type Separator, separatorIn, separatorName, splitLine } from './delimited.ts';
import { createJsonRecords, textOfJson } from './json-records.ts';
import { isSameMarket } from './market-name.ts';
import { readTime } from './times.ts';

/** A row of a file. */
export interface ParsedRow {
  readonly columns: Columns;
  /** Returns the text of a value; empty if the row has none. */
  readonly text: (role: ColumnRole) => string;
  /** Returns the text of a column by its index. */
  readonly value: (index: number) => string;
  /** Returns an error about a value, with the name and the place of its column. */
  readonly fault: (role: ColumnRole, message: string, hint?: string) => Malformed;
}

export interface RowParser {
  /** Returns the rows that end in this line. */
  push(line: string): readonly ParsedRow[];
  end(): void;
  /** `comma-separated`, `JSON objects`, …; undefined before the first row. */
  readonly layout: string | undefined;
  readonly columns: Columns | undefined;
  /** The market named in a line above the rows. */
  readonly symbol: string | undefined;
}

/** Lines that some programs write before the header: comments, an address, Excel's separator. */
const PREAMBLE = /^\s*(#|https?:\/\/|www\.|sep=)/i;

/** Creates a parser. `wanted` selects between columns. */
export function createRowParser(wanted: WantedColumns): RowParser {
  let parser: RowParser | undefined;
  return {
    push(line) {
      const text = line.replace(/^\uFEFF/, '');
      if (parser === undefined && (PREAMBLE.test(text) || text.trim() === '')) return [];
      parser ??= /^\s*[[{]/.test(text) ? jsonParser(wanted) : delimitedParser(wanted, separatorIn(text));
      return parser.push(text);
    },
    end: () => parser?.end(),
    get layout() {
      return parser?.layout;
    },
    get columns() {
      return parser?.columns;
    },
    get symbol() {
      return parser?.symbol;
    },
  };
}

interface Values {
  readonly values: readonly string[];
  readonly columnOf?: (index: number) => number;
  /** Text before an error, such as the number of the record. */
  readonly where?: string;
}

function rowOf(columns: Columns, { values, columnOf, where = '' }: Values): ParsedRow {
  const { indices, names } = columns;
  return {
    columns,
    text: (role) => values[indices[role] ?? -1] ?? '',
    value: (index) => values[index] ?? '',
    fault(role, message, hint) {
      const index = indices[role] ?? 0;
      const name = names[index] === '' || names[index] === undefined ? role : names[index];
      return new Malformed(`${where}${name} ${message}`, hint, columnOf?.(index));
    },
  };
}

function delimitedParser(wanted: WantedColumns, separator: Separator): RowParser {
  let columns: Columns | undefined;
  let named = false;
  let rows = 0;
  let symbol: string | undefined;

  /** Reads the lines that yfinance writes under its header: the market of each column, then the name of the time column. False for other lines. */
  function takeSubheader({ values }: Values): boolean {
    const names = columns?.names ?? [];
    if (!named || rows > 0 || names[0] !== '' || isTime(values[0])) return false;
    if (values.slice(1).every((value) => value === '')) return true;
    if (!['ticker', ''].includes((values[0] ?? '').toLowerCase()) || values.length !== names.length) return false;
    const chosen =
      values.find((value, index) => index > 0 && wanted.market !== undefined && isSameMarket(value, wanted.market)) ?? values[1];
    symbol = chosen;
    columns = columnsOf(names, wanted, (index) => index === 0 || values[index] === chosen);
    return true;
  }
  function begin(split: Values): readonly ParsedRow[] {
    const { values } = split;
    named = hasColumnNames(values) || !isTime(values[0]);
    // yfinance calls its first column "Price"; its real name is two lines below.
    const names = keyOf(values[0] ?? '') === 'price' ? ['', ...values.slice(1)] : values;
    columns = named ? columnsOf(names, wanted) : unnamedColumns(values.length, wanted);
    return named ? [] : take(split);
  }
  function take(split: Values): readonly ParsedRow[] {
    if (columns === undefined || takeSubheader(split)) return [];
    rows += 1;
    const [count, wanted] = [split.values.length, columns.names.length];
    if (count !== wanted) throw new Malformed(`has ${count} values, under ${wanted} columns`, countHint(separator));
    return [rowOf(columns, split)];
  }
  return {
    push(line) {
      const split = splitLine(line, separator);
      return columns === undefined ? begin(split) : take(split);
    },
    end: () => undefined,
    layout: `${separatorName(separator)}-separated`,
    get columns() {
      return columns;
    },
    get symbol() {
      return symbol;
    },
  };
}

const countHint = (separator: Separator): string =>
  `write each row as one line, with ${separatorName(separator)}s between the values and none within a number`;

function isTime(text = ''): boolean {
  try {
    readTime(text);
    return true;
  } catch {
    return false;
  }
}

function jsonParser(wanted: WantedColumns): RowParser {
  const records = createJsonRecords();
  let columns: Columns | undefined;
  let layout: string | undefined;
  let count = 0;

  function rowIn(record: unknown): ParsedRow {
    count += 1;
    const where = `record ${count}: `;
    if (typeof record !== 'object' || record === null)
      throw new Malformed(`${where}${shortened(String(record))} is not a list or an object`);
    if (Array.isArray(record)) {
      columns ??= unnamedColumns(record.length, wanted);
      layout ??= 'JSON lists';
      if (record.length !== columns.names.length)
        throw new Malformed(`${where}has ${record.length} values, others ${columns.names.length}`, 'write lists of equal length');
      return rowOf(columns, { values: record.map(textOfJson), where });
    }
    const fields: ReadonlyMap<string, unknown> = new Map(Object.entries(record));
    columns ??= columnsOf([...fields.keys()], wanted);
    layout ??= 'JSON objects';
    return rowOf(columns, { values: columns.names.map((name) => textOfJson(fields.get(name))), where });
  }
  return {
    push: (line) => records.push(line).map(rowIn),
    end: () => records.end(),
    get layout() {
      return layout;
    },
    get columns() {
      return columns;
    },
    symbol: undefined,
  };
}
