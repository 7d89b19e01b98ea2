// Lines of comma-separated values under a line of names; no value of the files read here holds a comma or a quote.
import { Malformed } from './fields.ts';

export interface Cells {
  /** The text of a column that the file has. */
  text(column: string): string;
  /** A whole number. */
  whole(column: string): number;
}

export interface Csv {
  readonly columns: readonly string[];
  readonly has: (...columns: readonly string[]) => boolean;
  /** Checked for the number of its values; good until the next line is read. */
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
      if (!Number.isSafeInteger(value)) throw new Malformed(`"${text}" in the column ${column} is no whole number`);
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
