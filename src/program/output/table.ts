// Text for the terminal: tables, and untrusted text made safe.

/** Returns lines with aligned columns, separated by `gap`. The first row determines the number of columns. */
export function tableLines(rows: readonly (readonly string[])[], align: 'left' | 'right' = 'left', gap = '  '): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, width: number): string => (align === 'left' ? cell.padEnd(width) : cell.padStart(width));
  return rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

/** Characters other than printable Latin letters, punctuation, arrows, lines and blocks. */
const UNPRINTABLE = /[^\x20-\x7e\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2190-\u21ff\u2212\u2500-\u259f\u25a0-\u25ff]/gu;

/** Makes untrusted text safe for a terminal: it cannot move the cursor, and every character takes one column. */
export const safeText = (text: string): string => text.replace(UNPRINTABLE, '?');
