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
import { COMPRESSORS, TIMES_IN_MICROS } from '../../../embedded/tape/parquet.ts';
import { headLine, linesOfRows, microTimeText, shortestSingle, valueText } from './table-lines.ts';

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
  yield headLine(elements.map(({ name }) => name));
  const texts = elements.map(textOf);
  const rows = Number(metadata.num_rows);
  const scan = await parquetScan({ file: buffer, metadata, compressors: COMPRESSORS, parsers: TIMES_IN_MICROS });
  for (const { rowStart, rowEnd } of scan.ranges) {
    const columns: DecodedArray[] = [];
    for (const { name } of elements) columns.push(await scan.readColumn({ column: name, rowStart, rowEnd }));
    const cells = texts.map((text, index) => (row: number) => text(columns[index]?.[row]));
    yield* linesOfRows(cells, rowEnd - rowStart);
    onRead((rowEnd - rowStart) / rows);
  }
}

/** Returns the function that writes a value of a column as text. */
function textOf({ type, logical_type: logical, converted_type: converted }: SchemaElement): (value: unknown) => string {
  const isTime = logical?.type === 'TIMESTAMP' || /^(TIMESTAMP_|DATE$)/.test(converted ?? '') || type === 'INT96';
  const zone = logical?.type === 'TIMESTAMP' && logical.isAdjustedToUTC ? 'Z' : '';
  if (isTime) return (value) => (typeof value === 'bigint' ? microTimeText(value) + zone : '');
  if (type === 'FLOAT') return (value) => (typeof value === 'number' ? shortestSingle(value) : '');
  return valueText;
}
