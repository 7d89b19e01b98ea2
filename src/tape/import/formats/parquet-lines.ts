// Reads a Parquet file of any program as lines of CSV: a line of column names, then one line per row.
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type DecodedArray,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
  type SchemaElement,
} from 'hyparquet';
import { messageOf, UserError } from '../../../base/errors.ts';
import { COMPRESSORS, TIMES_IN_MICROS } from '../../parquet-options.ts';

/** Number of lines that are yielded at once. */
const PIECE = 16_384;

/** Yields the lines piece by piece. Calls `onRead` with the number of bytes of each row group. Throws a `UserError` if the file cannot be read. */
export async function* readParquetLines(
  { file, bytes }: { readonly file: string; readonly bytes: number },
  onRead: (bytes: number) => void,
): AsyncGenerator<readonly string[]> {
  try {
    yield* linesOf(await asyncBufferFromFile(file), (share) => onRead(bytes * share));
  } catch (error) {
    if (error instanceof UserError) throw error;
    const hint = 'write it with Snappy, gzip, Zstandard or no compression';
    throw new UserError({ code: 'import', message: `${file} cannot be read as Parquet: ${messageOf(error)}`, hint });
  }
}

async function* linesOf(buffer: AsyncBuffer, onRead: (share: number) => void): AsyncGenerator<readonly string[]> {
  const metadata = await parquetMetadataAsync(buffer);
  const elements = parquetSchema(metadata).children.flatMap(({ element, children }) => (children.length === 0 ? [element] : []));
  yield [elements.map(({ name }) => quoted(name)).join(',')];
  const texts = elements.map(textOf);
  const rows = Number(metadata.num_rows);
  const scan = await parquetScan({ file: buffer, metadata, compressors: COMPRESSORS, parsers: TIMES_IN_MICROS });
  for (const { rowStart, rowEnd } of scan.ranges) {
    const columns: DecodedArray[] = [];
    for (const { name } of elements) columns.push(await scan.readColumn({ column: name, rowStart, rowEnd }));
    const lineOf = (row: number): string => texts.map((text, index) => text(columns[index]?.[row])).join(',');
    for (let row = 0; row < rowEnd - rowStart; row += PIECE) {
      const count = Math.min(PIECE, rowEnd - rowStart - row);
      yield Array.from({ length: count }, (_, index) => lineOf(row + index));
    }
    onRead((rowEnd - rowStart) / rows);
  }
}

/** Returns the function that writes a value of a column as text. */
function textOf({ type, logical_type: logical, converted_type: converted }: SchemaElement): (value: unknown) => string {
  const isTime = logical?.type === 'TIMESTAMP' || /^(TIMESTAMP_|DATE$)/.test(converted ?? '') || type === 'INT96';
  const zone = logical?.type === 'TIMESTAMP' && logical.isAdjustedToUTC ? 'Z' : '';
  if (isTime) return (value) => (typeof value === 'bigint' ? timeText(value) + zone : '');
  if (type === 'FLOAT') return (value) => (typeof value === 'number' ? shortestSingle(value) : '');
  return (value) => {
    if (typeof value === 'string') return quoted(value);
    return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : '';
  };
}

/** Returns `2024-01-31T00:00:00.000000`. */
function timeText(micros: bigint): string {
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
