// The bytes of a tape around its block bodies: the prelude, the block heads, and the index that marks the file as complete.
// The bodies: `block.ts`. What a row means: `embedded/rows/rows.ts`. `reader.ts` and `writer.ts` read and write the file.
import { crc32 } from 'node:zlib';
import { MAX_BODY } from './block.ts';
import { MAX_ROWS } from './column.ts';

/*
 * All numbers are little-endian, all CRCs CRC-32.
 *
 *   prelude   magic 8 | version u32 | length of the header u32 | CRC of the header u32 | the header as JSON
 *   blocks    head: mark u32 | rows u32 | exchange time of the first f64, of the last f64 | length of the body u32 | CRC of the body u32 | CRC of the head u32
 *             body: see block.ts
 *   index     mark u32 | the heads of all blocks once more | hash 32 | number of blocks u32 | CRC of the index u32 | magic 8
 *
 * A tape is written front to back, under a temporary name until its index is written. A crash leaves complete blocks and at most one torn block.
 */
export const VERSION = 2;
const MAGIC = Buffer.from('\x89TWTAPE\n', 'latin1'); // a transfer in text mode would change the first or the last byte
const END = Buffer.from('TAPEEND\n', 'latin1');
const BLOCK_MARK = 0x4b4c4254; // TBLK
const INDEX_MARK = 0x58444954; // TIDX
export const PRELUDE = 20;
export const HEAD = 36;
/** Number of bytes after the heads in the index. */
export const TAIL = 48;
export const MAX_HEADER = 65_536;

/** The head of a block. */
export interface Head {
  readonly rows: number;
  /** Exchange times of the first and the last row. */
  readonly first: number;
  readonly last: number;
  /** Length of the body in bytes. */
  readonly size: number;
  /** CRC-32 of the body. */
  readonly crc: number;
}

/** Returns the size of a block in bytes: its head and its body. */
export const sizeOf = ({ size }: Head): number => HEAD + size;

export function encodePrelude(header: string): Buffer {
  const text = Buffer.from(header);
  const prelude = Buffer.alloc(PRELUDE);
  MAGIC.copy(prelude);
  prelude.writeUInt32LE(VERSION, 8);
  prelude.writeUInt32LE(text.length, 12);
  prelude.writeUInt32LE(crc32(text), 16);
  return Buffer.concat([prelude, text]);
}

/** Returns undefined if the bytes are not the beginning of a tape. */
export function decodePrelude(bytes: Buffer): { readonly version: number; readonly size: number; readonly crc: number } | undefined {
  if (bytes.length < PRELUDE || !bytes.subarray(0, 8).equals(MAGIC)) return undefined;
  return { version: bytes.readUInt32LE(8), size: bytes.readUInt32LE(12), crc: bytes.readUInt32LE(16) };
}

export function encodeHead({ rows, first, last, size, crc }: Head): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(BLOCK_MARK, 0);
  head.writeUInt32LE(rows, 4);
  head.writeDoubleLE(first, 8);
  head.writeDoubleLE(last, 16);
  head.writeUInt32LE(size, 24);
  head.writeUInt32LE(crc, 28);
  head.writeUInt32LE(crc32(head.subarray(0, 32)), 32);
  return head;
}

/** Returns undefined if the bytes are not a valid block head. */
export function decodeHead(bytes: Buffer): Head | undefined {
  if (bytes.length < HEAD || bytes.readUInt32LE(0) !== BLOCK_MARK || bytes.readUInt32LE(32) !== crc32(bytes.subarray(0, 32)))
    return undefined;
  const head = {
    rows: bytes.readUInt32LE(4),
    first: bytes.readDoubleLE(8),
    last: bytes.readDoubleLE(16),
    size: bytes.readUInt32LE(24),
    crc: bytes.readUInt32LE(28),
  };
  const timed = Number.isSafeInteger(head.first) && Number.isSafeInteger(head.last) && head.first <= head.last;
  return timed && head.rows > 0 && head.rows <= MAX_ROWS && head.size <= MAX_BODY ? head : undefined;
}

export function encodeIndex(heads: readonly Head[], hash: Buffer): Buffer {
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(INDEX_MARK);
  const count = Buffer.alloc(4);
  count.writeUInt32LE(heads.length);
  const index = Buffer.concat([mark, ...heads.map(encodeHead), hash, count]);
  const crc = Buffer.alloc(4);
  crc.writeUInt32LE(crc32(index));
  return Buffer.concat([index, crc, END]);
}

export const beginsIndex = (bytes: Buffer): boolean => bytes.length >= 4 && bytes.readUInt32LE(0) === INDEX_MARK;

/** Returns the size of the index that ends with these bytes, or undefined if they are not the end of an index. */
export const indexSize = (tail: Buffer): number | undefined =>
  tail.length === TAIL && tail.subarray(40).equals(END) ? 4 + tail.readUInt32LE(32) * HEAD + TAIL : undefined;

/** Returns undefined if the index is damaged. */
export function decodeIndex(bytes: Buffer): { readonly heads: readonly Head[]; readonly hash: Buffer } | undefined {
  const end = bytes.length - TAIL;
  if (!beginsIndex(bytes) || bytes.readUInt32LE(end + 36) !== crc32(bytes.subarray(0, end + 36))) return undefined;
  const heads: Head[] = [];
  for (let at = 4; at < end; at += HEAD) {
    const head = decodeHead(bytes.subarray(at, at + HEAD));
    if (head === undefined) return undefined;
    heads.push(head);
  }
  return { heads, hash: bytes.subarray(end, end + 32) };
}
