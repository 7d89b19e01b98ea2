// Reads a tape block by block and checks it on the way. The folder holds the tape format, a recorded market as a file:
//   reader.ts, source.ts    reading a tape, and the open file behind it
//   writer.ts               writing one, and whether a file at the output path may be replaced
//   header.ts, layout.ts    the header and the content hash, and the bytes around the blocks
//   block.ts, column.ts     the body of a block, and a column in it
//   parquet.ts              export to Parquet and back; parquet-columns.ts has its columns
//   slice.ts                a part of a tape as a tape; consecutive.ts: tapes that follow each other as one
//   sorter.ts               puts nearly sorted items into order of time
// Recordings of other tools (Binance, Tardis, …) become tapes in src/research/import/.
import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { type Rows, rangeOfRows, type Stamp, stampText } from '../rows/rows.ts';
import type { BlockMemory } from './block.ts';
import { createTapeHash, headerText, type TapeHeader } from './header.ts';
import { decodeIndex, indexSize, sizeOf, TAIL } from './layout.ts';
import { type LocatedBlock, openSource, readAt, readBlock, type TapeSource, tapeError, wholeBlocks } from './source.ts';
import { factsOf, type TapeFacts } from './writer.ts';

export interface Tape {
  readonly file: string;
  readonly header: TapeHeader;
  readonly facts: TapeFacts;
  /** The tapes that this one was joined from, oldest first; absent if it is a single file. */
  readonly parts?: readonly Tape[];
  /**
   * Yields all rows, or those at or after `from`, one block at a time. Each block has its own arrays. Throws a UserError with the block's number when
   * it reaches a damaged block. Several iterations may run at the same time.
   */
  blocks(from?: Stamp): AsyncIterable<Rows>;
  /**
   * Returns the arrays of a block for reuse; the caller must not read them again. Calling it is optional and halves the time of reading. Absent if
   * the rows do not come from a file.
   */
  release?(rows: Rows): void;
  close(): Promise<void>;
}

/** Opens a tape as `openTape` does, for `use`, and closes it afterwards. */
export async function withTape<T>(file: string, use: (tape: Tape) => Promise<T>): Promise<T> {
  const tape = await openTape(file);
  try {
    return await use(tape);
  } finally {
    await tape.close();
  }
}

/** Opens a tape. Throws a UserError if the file is not a tape, has an unknown version, has a damaged header or index, or was not closed. */
export async function openTape(file: string): Promise<Tape> {
  const source = await openSource(file, 'r');
  try {
    const { blocks, hash } = await readIndex(source);
    const facts = factsOf(
      blocks.map(({ head }) => head),
      { bytes: source.size, hash },
    );
    const { memory, release } = createBlockPool();
    const read = (block: LocatedBlock): Rows => readBlock(source, block, memory);
    return {
      file,
      header: source.header,
      facts,
      blocks: (from = Number.NEGATIVE_INFINITY) =>
        rowsOf(
          blocks.filter(({ head }) => head.last >= from),
          { from, read },
        ),
      release,
      close: () => source.handle.close(),
    };
  } catch (error) {
    await source.handle.close();
    throw error;
  }
}

async function readIndex(source: TapeSource): Promise<{ readonly blocks: readonly LocatedBlock[]; readonly hash: Buffer }> {
  const { file, handle, size, start } = source;
  const length = indexSize(await readAt(handle, Math.max(start, size - TAIL), TAIL));
  if (length === undefined) throw await notClosed(source);
  const from = size - length;
  const index = from < start ? undefined : decodeIndex(await readAt(handle, from, length));
  if (index === undefined) throw tapeError(file, 'its index is damaged');
  const blocks: LocatedBlock[] = [];
  let at = start;
  let newest = Number.NEGATIVE_INFINITY;
  for (const head of index.heads) {
    const number = blocks.push({ number: blocks.length + 1, at, head });
    if (head.first < newest) throw tapeError(file, `block ${number} begins at ${stampText(head.first)}, before the previous block ends`);
    newest = head.last;
    at += sizeOf(head);
  }
  if (at !== from) throw tapeError(file, 'its index is damaged: it does not match the blocks');
  return { blocks, hash: index.hash };
}

async function notClosed(source: TapeSource): Promise<Error> {
  let rows = 0;
  let whole: LocatedBlock | undefined;
  for await (const block of wholeBlocks(source)) {
    whole = block;
    rows += block.head.rows;
  }
  const until = whole === undefined ? '' : ` with ${rows} rows up to ${stampText(whole.head.last)}`;
  return tapeError(
    source.file,
    `was not closed, or is truncated in block ${(whole?.number ?? 0) + 1}: ${whole?.number ?? 'no'} blocks are complete${until}`,
  );
}

/** A pool of block memory. */
function createBlockPool(): { readonly memory: BlockMemory; readonly release: (rows: Rows) => void } {
  const free: ArrayBuffer[] = [];
  return {
    memory(bytes) {
      const block = free.pop();
      return block !== undefined && block.byteLength >= bytes ? block : new ArrayBuffer(bytes);
    },
    // all columns of a block share one buffer
    release({ times: { buffer } }) {
      if (buffer instanceof ArrayBuffer && !free.includes(buffer)) free.push(buffer);
    },
  };
}

interface Reading {
  readonly from: Stamp;
  readonly read: (block: LocatedBlock) => Rows;
}

async function* rowsOf(blocks: readonly LocatedBlock[], { from, read }: Reading): AsyncGenerator<Rows> {
  for (const block of blocks) {
    yield rowsSince(read(block), from);
    await nextLoopIteration(); // otherwise a reader would block the event loop
  }
}

/** Returns the rows of a block at or after `from`; it must have such a row. */
export function rowsSince(rows: Rows, from: Stamp): Rows {
  const start = rows.times.findIndex((time) => time >= from);
  return start === 0 ? rows : rangeOfRows(rows, start, rows.count);
}

/** Reads the whole file and returns the content hash of its rows, in hex. Throws a UserError if it is not a whole tape. */
export async function contentHashOf(file: string): Promise<string> {
  const tape = await openTape(file);
  try {
    const hash = createTapeHash(headerText(tape.header));
    for await (const rows of tape.blocks()) {
      hash.add(rows);
      tape.release?.(rows);
    }
    return hash.digest().toString('hex');
  } finally {
    await tape.close();
  }
}
