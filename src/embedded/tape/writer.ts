// Writes a tape: rows in order of time, packed block by block off the main thread, under a temporary name until the tape is complete.
// The format of the bytes: `layout.ts`, and inside a block `block.ts`.
import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { messageOf, UserError } from '../../base/errors.ts';
import { makeFolderOf } from '../../base/files/folder.ts';
import { PROGRAM } from '../../base/package.ts';
import { type Row, RowBuilder } from '../rows/row-builder.ts';
import { isCode, KIND_BITS, ROW, type Rows, type Stamp, stampText } from '../rows/rows.ts';
import { packBlock } from './block.ts';
import { MAX_ROWS } from './column.ts';
import { createTapeHash, headerText, type TapeHash, type TapeHeader } from './header.ts';
import { encodeHead, encodeIndex, encodePrelude, type Head, sizeOf } from './layout.ts';
import { openSource, readBlock, tapeError, temporaryName, wholeBlocks } from './source.ts';

/** Maximum number of blocks that still wait to be packed and written when `flush` settles. */
const MAX_WAITING = 2;

export interface TapeFacts {
  readonly rows: number;
  /** Exchange times of the first and the last row; 0 if there are no rows. */
  readonly first: Stamp;
  readonly last: Stamp;
  /** Size of the file. */
  readonly bytes: number;
  /** Content hash in hex, see `createTapeHash`. */
  readonly hash: string;
}

export interface TapeWriter {
  readonly header: TapeHeader;
  /** Number of rows so far, including those of a continued tape. */
  readonly rows: number;
  /** Exchange time of the newest row; undefined while there is none. */
  readonly last: Stamp | undefined;
  /** Adds a row, in order of exchange time. Throws a UserError that names the row if it goes back in time or holds a number out of range. */
  add(row: Row): void;
  /** Settles when few blocks wait to be written. Await it regularly to bound the memory. Rejects if writing failed. */
  flush(): Promise<void>;
  /** Writes all rows so far and syncs them to disk: a crash afterwards loses none of them. The last block may be small. */
  checkpoint(): Promise<void>;
  /** Completes the tape and gives it its final name. */
  close(): Promise<TapeFacts>;
  /** Discards what this writer added: a new tape is deleted, a continued one is truncated to its former end. */
  abort(): Promise<void>;
}

const INCOMPLETE = `another command writes it, or was killed: repeat ${PROGRAM} record --url to continue its tape; delete that of any other command`;

/** True if the tape exists, complete or incomplete. */
export const hasTape = (file: string): boolean => existsSync(file) || existsSync(temporaryName(file));

export interface Creating {
  /** Decides by its header whether an existing tape may be replaced. Default: `isReproducible`. */
  readonly mayReplace?: (old: TapeHeader) => boolean;
  /** True if no other process works on this file. An incomplete tape was then left by a crash and may be replaced as well. */
  readonly exclusive?: boolean;
}

/**
 * Creates a tape. Closing it replaces an existing file. Throws a UserError if that file may not be replaced, or, unless `exclusive`, if there is an
 * incomplete tape of that name.
 */
export async function createTape(
  file: string,
  header: TapeHeader,
  { mayReplace = isReproducible, exclusive = false }: Creating = {},
): Promise<TapeWriter> {
  const temporary = temporaryName(file);
  const text = headerText(header);
  for (const path of exclusive ? [file, temporary] : [file]) await checkReplaceable(path, mayReplace);
  const handle = await openNew(temporary, exclusive ? 'w' : 'wx').catch((error: unknown) => {
    throw tapeError(temporary, `cannot be created: ${messageOf(error)}`, existsSync(temporary) ? INCOMPLETE : 'check the path');
  });
  return new FileWriter({ file, handle, header, heads: [], end: 0, hash: createTapeHash(text), prelude: encodePrelude(text) });
}

/**
 * Continues a tape, complete or left incomplete by a crash. Reads and checks all complete blocks and drops a truncated one at the end. Throws a
 * UserError that names the block if any other is damaged, or what `check` throws; the file is then unchanged.
 */
export async function appendTape(
  file: string,
  check: (old: Pick<TapeWriter, 'header' | 'last'>) => void = () => undefined,
): Promise<TapeWriter> {
  const temporary = temporaryName(file);
  const source = await openSource(existsSync(temporary) ? temporary : file, 'r+');
  const { handle, header } = source;
  try {
    const heads: Head[] = [];
    const hash = createTapeHash(headerText(header));
    let end = source.start;
    for await (const block of wholeBlocks(source)) {
      hash.add(readBlock(source, block, (bytes) => new ArrayBuffer(bytes)));
      heads.push(block.head);
      end = block.at + sizeOf(block.head);
    }
    check({ header, last: heads.at(-1)?.last });
    await rename(source.file, temporary);
    await handle.truncate(end);
    return new FileWriter({ file, handle, header, heads, end, hash, prelude: Buffer.alloc(0) });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export const factsOf = (heads: readonly Head[], { bytes, hash }: { bytes: number; hash: Buffer }): TapeFacts => ({
  rows: heads.reduce((rows, head) => rows + head.rows, 0),
  first: heads[0]?.first ?? 0,
  last: heads.at(-1)?.last ?? 0,
  bytes,
  hash: hash.toString('hex'),
});

/** The file to write and its blocks so far. */
interface OpenFile {
  readonly file: string;
  readonly handle: FileHandle;
  readonly header: TapeHeader;
  readonly heads: readonly Head[];
  /** Offset at which the next bytes are written. */
  readonly end: number;
  readonly hash: TapeHash;
  /** Written first; empty if the file has one. */
  readonly prelude: Buffer;
}

class FileWriter implements TapeWriter {
  readonly header: TapeHeader;
  /** The file as it was opened. */
  readonly #opened: OpenFile & { readonly digest: Buffer };
  readonly #heads: Head[];
  readonly #builder: RowBuilder;
  #end: number;
  #rows: number;
  #last: Stamp | undefined;
  /** Blocks being packed and written, oldest first. */
  readonly #waiting: Promise<void>[] = [];
  /** The newest write. Each write waits for the previous one and fails if that failed. */
  #newest: Promise<void>;

  constructor(opened: OpenFile) {
    this.header = opened.header;
    this.#opened = { ...opened, digest: opened.hash.digest() };
    this.#heads = [...opened.heads];
    this.#builder = new RowBuilder({ capacity: MAX_ROWS, orders: opened.header.books === 'orders' });
    this.#end = opened.end;
    this.#rows = opened.heads.reduce((rows, head) => rows + head.rows, 0);
    this.#last = opened.heads.at(-1)?.last;
    this.#newest = this.#write(opened.prelude);
    this.#newest.catch(() => undefined); // reported where it is awaited
  }

  get rows(): number {
    return this.#rows;
  }

  get last(): Stamp | undefined {
    return this.#last;
  }

  add(row: Row): void {
    const fault = faultIn(row, { last: this.#last, orders: this.header.books === 'orders' });
    if (fault !== undefined) throw tapeError(this.#opened.file, `row ${this.#rows + 1} ${fault}`, 'check the source of the tape');
    this.#builder.add(row);
    this.#rows++;
    this.#last = row.time;
    if (this.#builder.count === MAX_ROWS) this.#endBlock();
  }

  async flush(): Promise<void> {
    while (this.#waiting.length > MAX_WAITING) await this.#waiting.shift();
  }

  async checkpoint(): Promise<void> {
    this.#endBlock();
    await this.#newest;
    await this.#opened.handle.datasync();
  }

  async close(): Promise<TapeFacts> {
    this.#endBlock();
    await this.#newest;
    return this.#finish(this.#opened.hash.digest());
  }

  async abort(): Promise<void> {
    await Promise.allSettled([this.#newest]);
    const { file, handle, heads, end, digest } = this.#opened;
    if (end === 0) {
      await handle.close();
      return rm(temporaryName(file), { force: true });
    }
    this.#heads.length = heads.length;
    this.#end = end;
    await handle.truncate(end);
    await this.#finish(digest);
  }

  async #finish(hash: Buffer): Promise<TapeFacts> {
    const { file, handle } = this.#opened;
    await this.#write(encodeIndex(this.#heads, hash));
    await handle.datasync();
    await handle.close();
    await rename(temporaryName(file), file);
    return factsOf(this.#heads, { bytes: this.#end, hash });
  }

  #endBlock(): void {
    if (this.#builder.count === 0) return;
    const rows = this.#builder.take();
    this.#opened.hash.add(rows);
    this.#newest = Promise.all([packBlock(rows), this.#newest]).then(([body]) => this.#writeBlock(rows, body));
    this.#newest.catch(() => undefined);
    this.#waiting.push(this.#newest);
  }

  async #writeBlock({ count, times }: Rows, body: Uint8Array): Promise<void> {
    const head = { rows: count, first: times[0]!, last: times[count - 1]!, size: body.length, crc: crc32(body) };
    await this.#write(Buffer.concat([encodeHead(head), body]));
    this.#heads.push(head);
  }

  async #write(bytes: Buffer): Promise<void> {
    const { file, handle } = this.#opened;
    try {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, this.#end);
        done += bytesWritten;
        this.#end += bytesWritten;
      }
    } catch (error) {
      throw tapeError(temporaryName(file), `cannot be written: ${messageOf(error)}`, 'free space on the disk');
    }
  }
}

/** Returns the fault of a row as text, or undefined if it is valid. */
function faultIn(
  { time, lag, code, price, size, order = 0 }: Row,
  { last, orders }: { last: Stamp | undefined; orders: boolean },
): string | undefined {
  if (!Number.isSafeInteger(time) || time < 0) return `has the time ${time}, which is not a whole number of microseconds since 1970`;
  if (last !== undefined && time < last) return `has the time ${stampText(time)}, before that of the previous row, ${stampText(last)}`;
  if (!isCode(code)) return `has the unknown code ${code}`;
  if ((price | 0) !== price) return `has the price ${price}, which is not a 32-bit integer`;
  if (!isExact(lag)) return `has the lag ${lag}, which is not an integer up to 2^52`;
  if (!isExact(size)) return `has the size ${size}, which is not an integer up to 2^52`;
  if (!Number.isSafeInteger(order) || order < 0) return `has the order id ${order}, which is not a whole number`;
  if (!orders && (order !== 0 || (code & KIND_BITS) === ROW.order)) return 'has an order id, but the books of the tape have no orders';
  return undefined;
}

/** True up to 2^52: the difference of any two such integers is exact. */
const isExact = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= 2 ** 52;

/** True for a tape made from a seed or from files. False for a live recording, recognised by its polled books and the command in its header. */
const isReproducible = ({ books, made }: TapeHeader): boolean => books !== 'polled' || made?.command === undefined;

/** Throws a UserError if `path` exists and may not be replaced. */
async function checkReplaceable(path: string, mayReplace: (old: TapeHeader) => boolean): Promise<void> {
  if (!existsSync(path)) return;
  try {
    const { handle, header } = await openSource(path, 'r');
    await handle.close();
    if (!mayReplace(header)) throw tapeError(path, `is a tape of ${header.market.symbol}, from ${header.source}`);
  } catch (error) {
    throw new UserError({ code: 'tape', message: `${messageOf(error)}; it is left as it is`, hint: 'choose another --out' });
  }
}

/** Opens a file for writing. Creates its folder if that is missing. */
export async function openNew(file: string, flags: 'w' | 'wx'): Promise<FileHandle> {
  makeFolderOf(file);
  return open(file, flags);
}
