// Exports a tape as a Parquet file, which pandas, polars and DuckDB can open, and imports such a file as a tape.
import { type FileHandle, rename, rm, stat } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decompress } from 'fzstd';
import { type AsyncBuffer, asyncBufferFromFile, type Compressors, type FileMetaData, parquetMetadataAsync, parquetScan } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { messageOf, UserError } from '../../base/errors.ts';
import { PROGRAM } from '../../base/package.ts';
import type { Rows } from '../rows/rows.ts';
import { headerText, parseHeader, type TapeHeader } from './header.ts';
import { columnsOf, neededOf, type ParquetColumn, type ParquetValue, rowOf } from './parquet-columns.ts';
import type { Tape } from './reader.ts';
import { tapeError, temporaryName } from './source.ts';
import { createTape, openNew, type TapeFacts, type TapeWriter } from './writer.ts';

/** A row group is written as soon as it has this many rows: they are held in memory as objects. */
const GROUP = 65_536;
/** Key of the tape's header in the metadata of the file. */
const HEADER_KEY = 'tickwright.tape';

/** Writes the file row group by row group, under a temporary name until it is complete. Throws a UserError if it cannot be created. */
export async function exportParquet(tape: Tape, file: string): Promise<void> {
  const temporary = temporaryName(file);
  if ((await stat(file).catch(() => undefined))?.isFile() === false) throw tapeError(file, 'is not a file', 'choose another --out');
  const handle = await openNew(temporary, 'w').catch((error: unknown) => {
    throw tapeError(file, `cannot be created: ${messageOf(error)}`, 'check the path');
  });
  try {
    await writeGroups(tape, handle);
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await handle.close();
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeGroups(tape: Tape, handle: FileHandle): Promise<void> {
  const columns = columnsOf(tape.header);
  const bytes = new HandleWriter(handle);
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'tape', num_children: columns.length }, ...columns.map(({ element }) => element)],
    kvMetadata: [{ key: HEADER_KEY, value: headerText(tape.header) }],
    createdBy: 'tickwright',
  });
  for await (const group of groupsOf(tape.blocks())) {
    const columnData = columns.map((column) => ({
      name: column.element.name,
      data: cellsOf(group, column),
      ...(column.encoding === undefined ? {} : { encoding: column.encoding }),
    }));
    await writer.write({ columnData, rowGroupSize: Number.MAX_SAFE_INTEGER });
  }
  await writer.finish();
  await bytes.flush();
}

function cellsOf(group: readonly Rows[], { cell }: ParquetColumn): ParquetValue[] {
  const cells: ParquetValue[] = [];
  for (const rows of group) for (let row = 0; row < rows.count; row++) cells.push(cell(rows, row));
  return cells;
}

/** Joins blocks into row groups: the blocks of a recorder are small. */
async function* groupsOf(blocks: AsyncIterable<Rows>): AsyncGenerator<readonly Rows[]> {
  let group: Rows[] = [];
  let count = 0;
  for await (const rows of blocks) {
    group.push(rows);
    count += rows.count;
    if (count < GROUP) continue;
    yield group;
    group = [];
    count = 0;
  }
  if (count > 0) yield group;
}

/** Collects the bytes of a row group, then writes them. */
class HandleWriter extends ByteWriter {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    super();
    this.#handle = handle;
  }

  async flush(): Promise<void> {
    await this.#handle.writeFile(this.getBytes());
    this.index = 0;
  }
}

/**
 * Rebuilds the tape that was exported, with the same hash if the rows are unchanged. Throws a UserError if the file is not an exported Parquet file
 * or its rows are not valid.
 */
export async function importParquet(file: string, out: string): Promise<TapeFacts> {
  const source = await openParquet(file);
  const writer = await createTape(out, source.header);
  try {
    await copyRows(source, writer);
    return await writer.close();
  } catch (error) {
    await writer.abort();
    throw error instanceof UserError ? error : readError(file, error);
  }
}

interface ParquetSource {
  readonly file: string;
  readonly buffer: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly header: TapeHeader;
}

const readError = (file: string, error: unknown): UserError =>
  tapeError(
    file,
    `cannot be read as Parquet: ${messageOf(error)}`,
    `give a file written by ${PROGRAM} export, or a copy of one that is compressed with Snappy, gzip or Zstandard`,
  );

async function openParquet(file: string): Promise<ParquetSource> {
  try {
    const buffer = await asyncBufferFromFile(file);
    const metadata = await parquetMetadataAsync(buffer);
    const header = parseHeader(metadata.key_value_metadata?.find(({ key }) => key === HEADER_KEY)?.value ?? '');
    if (header !== undefined) return { file, buffer, metadata, header };
  } catch (error) {
    throw readError(file, error);
  }
  throw tapeError(
    file,
    `has no tape header: its metadata has no key ${HEADER_KEY}`,
    `keep the metadata of the file that ${PROGRAM} export wrote; candles of other programs: --from candles`,
  );
}

async function copyRows({ buffer, metadata, header }: ParquetSource, writer: TapeWriter): Promise<void> {
  const columns = [...neededOf(header)];
  const scan = await parquetScan({ file: buffer, metadata, columns, compressors: COMPRESSORS, parsers: TIMES_IN_MICROS });
  for (const { rowStart, rowEnd } of scan.ranges) {
    const data = await Promise.all(columns.map((column) => scan.readColumn({ column, rowStart, rowEnd })));
    for (let row = 0; row < rowEnd - rowStart; row++) {
      writer.add(rowOf(Object.fromEntries(columns.map((column, index) => [column, data[index]?.[row]]))));
    }
    await writer.flush();
  }
}

/** Codecs that the Parquet library lacks: gzip, Brotli, Zstandard. The output of a page is limited to the length that its header states. */
export const COMPRESSORS: Compressors = {
  GZIP: (bytes, size) => gunzipSync(bytes, { maxOutputLength: Math.max(1, size) }),
  BROTLI: (bytes, size) => brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, size) }),
  ZSTD: (bytes, size) => decompress(bytes, new Uint8Array(size)),
};

/** Converts times and dates to microseconds since 1970. */
export const TIMES_IN_MICROS = {
  timestampFromMilliseconds: (millis: bigint | undefined) => millis && millis * 1_000n,
  timestampFromMicroseconds: (micros: bigint | undefined) => micros,
  timestampFromNanoseconds: (nanos: bigint | undefined) => nanos && nanos / 1_000n,
  dateFromDays: (days: number | undefined) => (days === undefined ? undefined : BigInt(days) * 86_400_000_000n),
};
