// A table of a run as columns, for Parquet and CSV.
import { timeText } from '../../../base/text/duration.ts';

export type Cell = number | string | undefined;

/**
 * `time`: milliseconds since 1970, in UTC. `integer`: a safe integer. `decimal`: decimal text, exact in CSV and a double in Parquet. A cell without a
 * value is undefined.
 */
export interface TableColumn {
  readonly name: string;
  readonly type: 'time' | 'number' | 'integer' | 'decimal' | 'text';
  readonly values: ArrayLike<Cell>;
}

export interface Table {
  /** The name of its file, without the ending. */
  readonly name: string;
  readonly count: number;
  readonly columns: readonly TableColumn[];
}

/** Makes a column from rows: its name, its type, and a function from a row to its cell. */
export type ColumnOf<Row> = readonly [name: string, type: TableColumn['type'], cell: (row: Row) => Cell];

export function tableOf<Row>(name: string, rows: readonly Row[], columns: readonly ColumnOf<Row>[]): Table {
  return {
    name,
    count: rows.length,
    columns: columns.map(([column, type, cell]) => ({ name: column, type, values: rows.map((row) => cell(row)) })),
  };
}

/** Returns CSV with a header and one line per row. */
export function csvText({ count, columns }: Table): string {
  const lines = [columns.map(({ name }) => csvCell(name)).join(',')];
  for (let row = 0; row < count; row++) lines.push(columns.map((column) => csvCell(shown(column, column.values[row]))).join(','));
  return `${lines.join('\n')}\n`;
}

const shown = ({ type }: TableColumn, value: Cell): Cell => (type === 'time' && typeof value === 'number' ? timeText(value) : value);

/** Text that a spreadsheet would execute as a formula. A signed number is not one. */
const FORMULA = /^[=+\-@\t\r](?!\d+(?:\.\d+)?$)/;

/** Returns a CSV cell: numbers are rounded to 8 decimals, text is quoted by RFC 4180, and an apostrophe is put before a formula. */
export function csvCell(value: Cell): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return Number.isNaN(value) ? '' : String(Number(value.toFixed(8)));
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
