// Parses the CSV of Tardis: a header line, no value with a comma or a quote.
import { Malformed } from './fields.ts';

export interface Cells {
  /** Returns the text of a column. Throws `Malformed` if the file has no such column. */
  text(column: string): string;
  /** Returns an integer. Throws `Malformed` if the text is not one. */
  whole(column: string): number;
}

export interface Csv {
  readonly columns: readonly string[];
  readonly has: (...columns: readonly string[]) => boolean;
  /** Returns the cells of a line, valid until the next call. Throws `Malformed` if the number of values is wrong. */
  cells(line: string): Cells;
}

export function createCsv(header: string): Csv {
  const columns = header.split(',').map((name) => name.trim());
  const places = new Map(columns.map((name, index) => [name, index]));
  let values: readonly string[] = [];
  const cells: Cells = {
    text(column) {
      const value = values[places.get(column) ?? -1];
      if (value === undefined) throw new Malformed(`has no column "${column}"`);
      return value;
    },
    whole(column) {
      const text = this.text(column);
      const value = /^\d+$/.test(text) ? Number(text) : undefined;
      if (!Number.isSafeInteger(value)) throw new Malformed(`"${text}" in the column ${column} is not a whole number`);
      return value as number;
    },
  };
  return {
    columns,
    has: (...wanted) => wanted.every((name) => places.has(name)),
    cells(line) {
      values = line.split(',');
      if (values.length !== columns.length) throw new Malformed(`has ${values.length} values, under ${columns.length} columns`);
      return cells;
    },
  };
}
