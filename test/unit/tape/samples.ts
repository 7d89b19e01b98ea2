// Tapes for tests: a header, rows of all kinds, and a directory that is removed after the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import type { Row } from '../../../src/embedded/rows/row-builder.ts';
import { codeOf, ROW, type RowKind, type Rows } from '../../../src/embedded/rows/rows.ts';
import type { TapeHeader } from '../../../src/embedded/tape/header.ts';
import type { Tape } from '../../../src/embedded/tape/reader.ts';
import { createTape, type TapeFacts } from '../../../src/embedded/tape/writer.ts';

export const START = 1_700_000_000_000_000;

export function headerOf(books: TapeHeader['books'] = 'changes'): TapeHeader {
  return {
    market: {
      id: 3,
      symbol: 'BTCUSDC',
      kind: 'perp',
      baseTokenId: 1,
      quoteTokenId: 0,
      priceDecimals: 1,
      sizeDecimals: 4,
      imf: 0.05,
      cmf: 0.03,
      mmf: 0.02,
    },
    basePrice: 28_000.5,
    source: 'a sample',
    books,
  };
}

export const rowAt = (time: number, row: Partial<Row> = {}): Row => ({
  time,
  lag: 250,
  code: codeOf('level'),
  price: 280_005,
  size: 12,
  ...row,
});

/** Rows of every kind that tapes have, a few microseconds apart. */
export function randomRows(count: number, { seed, orders = false }: { seed: string; orders?: boolean }): Row[] {
  const rng = rngFrom(seed);
  const kinds = (Object.keys(ROW) as RowKind[]).filter((kind) => orders || kind !== 'order');
  let time = START;
  return Array.from({ length: count }, () => {
    const kind = kinds[rng.below(kinds.length)] ?? 'level';
    const side = SIDED.has(kind) && rng.next() < 0.5 ? 'ask' : 'bid';
    time += rng.below(3) * 100;
    const row = { time, lag: rng.below(5_000) - 500, price: 280_000 + rng.below(400), size: rng.below(100_000) };
    return {
      ...row,
      code: codeOf(kind, { side, last: rng.next() < 0.3, snapshot: rng.next() < 0.1 }),
      ...(orders && { order: rng.below(1e9) }),
    };
  });
}

const SIDED: ReadonlySet<RowKind> = new Set(['level', 'trade', 'order']);

/** Makes a directory for each test. Returns a function that gives the path of a file in it. */
export function scratch(): (name: string) => string {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tape-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  return (name) => join(directory, name);
}

/** Writes a closed tape with one block per list of rows. */
export async function tapeOf(file: string, blocks: readonly (readonly Row[])[], header = headerOf()): Promise<TapeFacts> {
  const writer = await createTape(file, header);
  for (const rows of blocks) {
    for (const row of rows) writer.add(row);
    await writer.checkpoint();
  }
  return writer.close();
}

export const rowsIn = ({ count, times, lags, codes, prices, sizes, orders }: Rows): Row[] =>
  Array.from({ length: count }, (_, row) => ({
    time: times[row] ?? Number.NaN,
    lag: lags[row] ?? Number.NaN,
    code: codes[row] ?? Number.NaN,
    price: prices[row] ?? Number.NaN,
    size: sizes[row] ?? Number.NaN,
    ...(orders !== undefined && { order: orders[row] ?? Number.NaN }),
  }));

/** Reads all rows, and closes the tape. */
export async function allRows(tape: Tape, from?: number): Promise<Row[]> {
  try {
    const all: Row[] = [];
    for await (const rows of tape.blocks(from)) all.push(...rowsIn(rows));
    return all;
  } finally {
    await tape.close();
  }
}

/** Returns the message of the UserError `tape` that a promise is rejected with. */
export async function errorMessageOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error,
  );
  if (thrown instanceof UserError && thrown.code === 'tape') return thrown.message;
  throw thrown;
}
