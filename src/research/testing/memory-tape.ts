// Tapes in memory: built row by row, truncated, or shifted in time.
import type { Millis } from '../../base/clock.ts';
import { type Row, RowBuilder } from '../../embedded/rows/row-builder.ts';
import { type Rows, STAMPS_PER_MILLI } from '../../embedded/rows/rows.ts';
import type { TapeHeader } from '../../embedded/tape/header.ts';
import { rowsSince, type Tape } from '../../embedded/tape/reader.ts';

const ROWS_OF_A_BLOCK = 500;

/** Collects rows in order of time. */
export class MemoryRows {
  readonly #builder = new RowBuilder();
  readonly #blocks: Rows[] = [];

  add(row: Row): void {
    this.#builder.add(row);
    if (this.#builder.count === ROWS_OF_A_BLOCK) this.#blocks.push(this.#builder.take());
  }

  /** Returns all rows so far as a tape; undefined if there are none. Call it after the last row. */
  tape(header: TapeHeader): Tape | undefined {
    if (this.#builder.count > 0) this.#blocks.push(this.#builder.take());
    const blocks = this.#blocks;
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const rows = blocks.reduce((sum, { count }) => sum + count, 0);
    return {
      file: header.source,
      header,
      facts: { rows, first: first.times[0]!, last: last.times[last.count - 1]!, bytes: 0, hash: '' },
      async *blocks(from = Number.NEGATIVE_INFINITY) {
        for (const block of blocks) if (block.times[block.count - 1]! >= from) yield await Promise.resolve(rowsSince(block, from));
      },
      close: () => Promise.resolve(),
    };
  }
}

/** Returns the tape without rows after `until`. Its `facts.rows` still counts the rows of the whole tape. */
export function cutTape(tape: Tape, until: Millis): Tape {
  const last = Math.min(tape.facts.last, until * STAMPS_PER_MILLI);
  return {
    ...tape,
    facts: { ...tape.facts, last },
    async *blocks(from) {
      for await (const rows of tape.blocks(from)) {
        if (rows.count > 0 && rows.times[0]! > last) return;
        yield { ...rows, count: countUntil(rows, last) };
      }
    },
  };
}

function countUntil({ times, count }: Rows, last: number): number {
  let kept = count;
  while (kept > 0 && times[kept - 1]! > last) kept--;
  return kept;
}

/** Returns the tape shifted in time. */
export function movedTape(tape: Tape, by: Millis): Tape {
  const stamps = by * STAMPS_PER_MILLI;
  const { file, header, facts } = tape;
  return {
    file,
    header,
    facts: { ...facts, first: facts.first + stamps, last: facts.last + stamps },
    async *blocks(from) {
      for await (const rows of tape.blocks(from === undefined ? undefined : from - stamps))
        yield { ...rows, times: rows.times.map((time) => time + stamps) };
    },
    close: () => tape.close(),
  };
}

const LONGEST: Millis = 3_600_000;
const MAX_CANDLES = 2_000;

/** Returns the first hour of a tape, or its first 2,000 candles: short enough for checks that play it many times. */
export function leadingPart(tape: Tape): Tape {
  const { books, pollMs } = tape.header;
  const span = books === 'candles' && pollMs !== undefined ? MAX_CANDLES * pollMs : LONGEST;
  return cutTape(tape, Math.ceil(tape.facts.first / STAMPS_PER_MILLI) + span);
}
