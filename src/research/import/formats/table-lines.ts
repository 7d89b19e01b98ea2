// Writes the columns of a table file (Parquet, Feather) as lines of CSV.

/** Number of lines that are yielded at once. */
const PIECE = 16_384;

/** A value of one row as text; `''` for none. */
export type CellText = (row: number) => string;

export const headLine = (names: readonly string[]): readonly string[] => [names.map(quoted).join(',')];

/** Yields a line per row, piece by piece. */
export function* linesOfRows(columns: readonly CellText[], rows: number): Generator<readonly string[]> {
  for (let first = 0; first < rows; first += PIECE) {
    const count = Math.min(PIECE, rows - first);
    yield Array.from({ length: count }, (_, index) => columns.map((textAt) => textAt(first + index)).join(','));
  }
}

/** Returns a text, a number or a boolean as text, and `''` for any other value. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : '';
}

/** Returns `2024-01-31T00:00:00.000000`. */
export function microTimeText(micros: bigint): string {
  const millis = micros / 1_000n;
  const text = new Date(Number(millis)).toISOString().replace('Z', '');
  return text + String(micros - millis * 1_000n).padStart(3, '0');
}

/** Returns the shortest decimal that is the same number in single precision: `0.1` for 0.10000000149. */
export function shortestSingle(value: number): string {
  for (let digits = 6; digits < 9; digits += 1) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}

const quoted = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""').replace(/[\r\n]+/g, ' ')}"` : text);
