// Text for the terminal: tables, and untrusted text made safe.

/** Between two cells, and before a line that continues a row. */
const GAP = '  ';

/** Returns lines with aligned columns, separated by `gap`. The first row determines the number of columns. */
export function tableLines(rows: readonly (readonly string[])[], align: 'left' | 'right' = 'left', gap = GAP): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, width: number): string => (align === 'left' ? cell.padEnd(width) : cell.padStart(width));
  return rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

/** Returns a table; if that is wider than `columns`, the cells of each row follow one another, in lines that are indented from the second on. */
export function linesWithin(columns: number | undefined, rows: readonly (readonly string[])[]): readonly string[] {
  const table = tableLines(rows);
  if (!columns || table.every(({ length }) => length <= columns)) return table;
  return rows.flatMap((cells) => wrapped(cells, columns));
}

/** A cell that is longer than a line is broken after its commas. */
function wrapped(cells: readonly string[], columns: number): readonly string[] {
  const parts = cells.flatMap((cell) => (cell.length + GAP.length > columns ? cell.split(/(?<=,) /) : cell)).filter((part) => part !== '');
  const [first = '', ...rest] = parts;
  const lines: string[] = [first];
  for (const part of rest) {
    const longer = `${lines.at(-1)}${GAP}${part}`;
    if (longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(`${GAP}${part}`);
  }
  return lines;
}

/** Characters other than printable Latin letters, punctuation, arrows, lines and blocks. */
const UNPRINTABLE = /[^\x20-\x7e\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2190-\u21ff\u2212\u2500-\u259f\u25a0-\u25ff]/gu;

/** Makes untrusted text safe for a terminal: it cannot move the cursor, and every character takes one column. */
export const safeText = (text: string): string => text.replace(UNPRINTABLE, '?');
