// Tables of text for the terminal.

/** Returns lines with aligned columns, separated by two spaces. The first row determines the number of columns. */
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
