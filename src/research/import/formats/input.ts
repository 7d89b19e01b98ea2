// Reads the lines of a file piece by piece: plain text (UTF-8, or little-endian UTF-16 with a byte-order mark), gzip or Zstandard. Parquet and Feather files
// are read as lines of CSV. A byte-order mark stays in the first line: `candles/row-parser.ts` and the header in `tardis-csv.ts` remove it.
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Decompress, ZstdErrorCode } from 'fzstd';
import { messageOf, UserError } from '../../../base/errors.ts';
import { READ_WITHOUT_WAITING } from '../../../base/files/text-file.ts';
import { readFeatherLines } from './feather-lines.ts';
import { readParquetLines } from './parquet-lines.ts';
import { unreadableFileOf } from './unreadable-files.ts';

/** How the text of a file is stored; a table has rows in place of lines. */
export type Packing = 'plain' | 'utf16' | 'gzip' | 'zstd' | TablePacking;
type TablePacking = keyof typeof TABLES;

/** The files of tables: their names in messages, and how each is read as lines. */
const TABLES = {
  parquet: { name: 'Parquet', read: readParquetLines },
  feather: { name: 'Feather', read: readFeatherLines },
} as const;

/** Returns the name of a kind of table; undefined for text. */
export const tableNameOf = (packing: Packing): string | undefined => (isTable(packing) ? TABLES[packing].name : undefined);
const isTable = (packing: Packing): packing is TablePacking => Object.hasOwn(TABLES, packing);

export interface RecordingInput {
  readonly file: string;
  /** Size on disk, compressed if the file is. */
  readonly bytes: number;
  readonly packing: Packing;
}

/** Finds how a file is packed, by its first bytes. Throws a `UserError` if the file is missing, empty, or packed in another way. */
export async function openInput(file: string): Promise<RecordingInput> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, READ_WITHOUT_WAITING);
    const stats = await handle.stat();
    if (!stats.isFile()) throw wrongInput(`${file} is not a file`, 'give the recording itself');
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(HEAD), position: 0 });
    const head = buffer.subarray(0, bytesRead);
    if (bytesRead === 0) throw wrongInput(`${file} is empty`, 'was its download interrupted?');
    return { file, bytes: stats.size, packing: packingOf(head, file) };
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw wrongInput(`${file} cannot be read: ${messageOf(error)}`, 'check the path');
  } finally {
    await handle?.close();
  }
}

const HEAD = 512;
/** Maximum length of a line, which may hold a whole book. A file with a longer one is not a recording. */
const LONGEST_LINE = 1 << 26;

/** The first bytes of packed files. */
const FIRST_BYTES: Readonly<Record<Exclude<Packing, 'plain'>, Buffer>> = {
  gzip: Buffer.of(0x1f, 0x8b),
  zstd: Buffer.of(0x28, 0xb5, 0x2f, 0xfd),
  parquet: Buffer.from('PAR1'),
  feather: Buffer.from('ARROW1'),
  utf16: Buffer.of(0xff, 0xfe),
};

function packingOf(head: Buffer, file: string): Packing {
  for (const packing of ['gzip', 'zstd', 'parquet', 'feather', 'utf16'] as const) {
    const first = FIRST_BYTES[packing];
    if (head.subarray(0, first.length).equals(first)) return packing;
  }
  const unreadable = unreadableFileOf(head);
  if (unreadable !== undefined) throw wrongInput(`${file} ${unreadable.description}`, unreadable.hint.replaceAll('FILE', file));
  return 'plain';
}

/** Yields the lines in order, all of one piece of the file at a time. Calls `onRead` with the number of bytes of each piece. */
export async function* readLines(input: RecordingInput, onRead: (bytes: number) => void): AsyncGenerator<readonly string[]> {
  const { file, packing } = input;
  if (isTable(packing)) return yield* TABLES[packing].read(input, onRead);
  const source = createReadStream(file, { highWaterMark: 1 << 18 });
  const text: Readable = packing === 'plain' || packing === 'utf16' ? source : pipeline(source, unpacker(packing), () => undefined);
  text.setEncoding(packing === 'utf16' ? 'utf16le' : 'utf8');
  let rest = '';
  let read = 0;
  try {
    for await (const piece of text as AsyncIterable<string>) {
      onRead(source.bytesRead - read);
      read = source.bytesRead;
      const lines = (rest + piece).split(/\r?\n/);
      rest = lines.pop() ?? '';
      if (rest.length > LONGEST_LINE) throw wrongInput(`${file} has a line of more than 64 MiB`, 'check that it is a recording');
      yield lines;
    }
  } catch (error) {
    throw error instanceof UserError ? error : brokenFile(file, error);
  }
  if (rest !== '') yield [rest];
}

const unpacker = (packing: 'gzip' | 'zstd'): Transform => (packing === 'gzip' ? createGunzip({ chunkSize: 1 << 18 }) : createUnzstd());

/** Decompresses Zstandard. Node has a decoder of its own only since 22.15. */
function createUnzstd(): Transform {
  const unpacking = new Decompress();
  const push = (bytes: Uint8Array, last: boolean, done: (error?: Error) => void): void => {
    try {
      unpacking.push(bytes, last);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(messageOf(error)));
    }
  };
  const stream = new Transform({
    transform: (chunk: Uint8Array, _, done) => push(chunk, false, done),
    flush: (done) => push(new Uint8Array(0), true, done),
  });
  unpacking.ondata = (bytes) => void stream.push(Buffer.from(bytes));
  return stream;
}

function brokenFile(file: string, error: unknown): UserError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR')
    return wrongInput(
      `${file} ends in the middle of its gzip data`,
      'download or record it again; or save what there is: gunzip -c FILE > TEXT',
    );
  if (code === ZstdErrorCode.UnexpectedEOF) return wrongInput(`${file} ends in the middle of its Zstandard data`, 'download it again');
  return wrongInput(`${file} cannot be read: ${messageOf(error)}`, 'test the file with gunzip -t FILE or zstd -t FILE');
}

export const wrongInput = (message: string, hint: string): UserError => new UserError({ code: 'import', message, hint });
