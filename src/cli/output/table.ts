// Tables of text for the terminal.

/** Lines whose columns have equal width, two blanks apart. The first row decides how many columns there are. */
export function tableLines(rows: readonly (readonly string[])[], align: 'left' | 'right' = 'left'): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, width: number): string => (align === 'left' ? cell.padEnd(width) : cell.padStart(width));
  return rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
