// An open tape file: its header, its blocks one by one, and the errors for a damaged one.
import { existsSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { messageOf, UserError } from '../../base/errors.ts';
import { READ_WITHOUT_WAITING } from '../../base/files/text-file.ts';
import { PROGRAM } from '../../base/package.ts';
import type { Rows } from '../rows/rows.ts';
import { BlockError, type BlockMemory, unpackBlock } from './block.ts';
import { parseHeader, type TapeHeader } from './header.ts';
import { beginsIndex, decodeHead, decodePrelude, encodeHead, HEAD, type Head, MAX_HEADER, PRELUDE, sizeOf, VERSION } from './layout.ts';

export interface TapeSource {
  readonly file: string;
  readonly handle: FileHandle;
  readonly size: number;
  readonly header: TapeHeader;
  /** Offset of the first block. */
  readonly start: number;
  /** Returns the bytes of a block. They are valid until the next call. */
  readonly bytesOf: (block: LocatedBlock) => Buffer;
}

/** A block and its offset in the file. Numbers count from 1. */
export interface LocatedBlock {
  readonly number: number;
  readonly at: number;
  readonly head: Head;
}

export const tapeError = (file: string, message: string, hint = 'copy it again, or make it again from its source'): UserError =>
  new UserError({ code: 'tape', message, hint, place: { file } });

/** Returns the temporary name that a file has until it is complete. */
export const temporaryName = (file: string): string => `${file}.new`;

/** Opens a tape file; the caller closes its handle. Throws a UserError if it is not a tape or has an unknown version. */
export async function openSource(file: string, mode: 'r' | 'r+'): Promise<TapeSource> {
  const handle = await openFile(file, mode);
  try {
    const stat = await handle.stat();
    const prelude = stat.isFile() ? decodePrelude(await readAt(handle, 0, PRELUDE)) : undefined;
    if (prelude === undefined)
      throw tapeError(file, 'is not a tape', `give another file; ${PROGRAM} record and ${PROGRAM} import make tapes`);
    if (prelude.version !== VERSION)
      throw tapeError(
        file,
        `is a tape of version ${prelude.version}; this program reads version ${VERSION}`,
        'make it again with this program',
      );
    const text = await readAt(handle, PRELUDE, Math.min(prelude.size, MAX_HEADER));
    const header = crc32(text) === prelude.crc ? parseHeader(text.toString()) : undefined;
    if (header === undefined) throw tapeError(file, 'its header is damaged');
    return { file, handle, size: stat.size, header, start: PRELUDE + prelude.size, bytesOf: blockReader(handle) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openFile(file: string, mode: string): Promise<FileHandle> {
  try {
    return await open(file, mode === 'r' ? READ_WITHOUT_WAITING : mode);
  } catch (error) {
    if (existsSync(temporaryName(file)))
      throw tapeError(file, 'was not closed', `${temporaryName(file)} holds its complete blocks; the same ${PROGRAM} record continues it`);
    throw tapeError(file, `cannot be opened: ${messageOf(error)}`, 'check the path');
  }
}

/**
 * Reads synchronously. A tape is read front to back, so the system reads ahead, and a transfer between threads takes longer than copying and
 * inflating the block here.
 */
function blockReader(handle: FileHandle): TapeSource['bytesOf'] {
  let buffer = Buffer.alloc(0);
  return ({ at, head }) => {
    const size = sizeOf(head);
    if (buffer.length < size) buffer = Buffer.allocUnsafeSlow(size);
    return buffer.subarray(0, readSync(handle.fd, buffer, 0, size, at));
  };
}

/** Returns `length` bytes, or fewer if the file ends before. */
export async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** Yields the blocks in file order, up to the index, a truncated block, or the end. Throws a UserError if the head of a block is damaged. */
export async function* wholeBlocks({ file, handle, size, start }: TapeSource): AsyncGenerator<LocatedBlock> {
  for (let at = start, number = 1; at + HEAD <= size; number++) {
    const bytes = await readAt(handle, at, HEAD);
    if (beginsIndex(bytes)) return;
    const head = decodeHead(bytes);
    if (head === undefined) throw tapeError(file, `block ${number} is damaged: its head is not valid`);
    if (at + sizeOf(head) > size) return;
    yield { number, at, head };
    at += sizeOf(head);
  }
}

/** Reads the rows of a block. Throws a UserError with the block's number if it does not match its head. */
export function readBlock({ file, header, bytesOf }: TapeSource, block: LocatedBlock, memory: BlockMemory): Rows {
  const { number, head } = block;
  const bytes = bytesOf(block);
  const body = bytes.subarray(HEAD);
  try {
    if (!encodeHead(head).equals(bytes.subarray(0, HEAD))) throw new BlockError('its head differs from the one in the index');
    if (crc32(body) !== head.crc) throw new BlockError('its checksum is wrong');
    return unpackBlock(body, { ...head, orders: header.books === 'orders' }, memory);
  } catch (error) {
    throw error instanceof BlockError ? tapeError(file, `block ${number} is damaged: ${error.message}`) : error;
  }
}
