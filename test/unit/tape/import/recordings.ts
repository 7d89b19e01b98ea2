// Recordings for tests of the import: temporary files, and the rows that an import makes of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach } from 'vitest';
import { UserError } from '../../../../src/base/errors.ts';
import type { Row } from '../../../../src/embedded/rows/row-builder.ts';
import { ASK_BIT, KIND_BITS, LAST_BIT, ROW, SNAPSHOT_BIT } from '../../../../src/embedded/rows/rows.ts';
import type { TapeHeader } from '../../../../src/embedded/tape/header.ts';
import { survey } from '../../../../src/research/import/checks/survey.ts';
import type { ReaderOptions } from '../../../../src/research/import/formats/feed-message.ts';
import { openInput } from '../../../../src/research/import/formats/input.ts';
import type { ImportFormat } from '../../../../src/research/import/formats/reading.ts';
import { headerOf, type ImportOverrides } from '../../../../src/research/import/rows/import-header.ts';
import { type ImportChecks, transcribe } from '../../../../src/research/import/rows/transcribe.ts';

let folder = '';

/** Each test file must call this: hooks belong to one file, and files share this module. */
export function keepFilesPerTest(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'import-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
}

export const pathOf = (name: string): string => join(folder, name);

/** Writes a file of these lines or bytes, compressed if its name ends in .gz. Returns its path. */
export function fileOf(name: string, content: readonly string[] | Buffer): string {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content.map((line) => `${line}\n`).join(''));
  writeFileSync(pathOf(name), name.endsWith('.gz') && !Buffer.isBuffer(content) ? gzipSync(bytes) : bytes);
  return pathOf(name);
}

export interface Imported {
  readonly header: TapeHeader;
  readonly checks: ImportChecks;
  readonly rows: readonly Row[];
}

const onRead = (): void => undefined;

/** Imports files into memory. */
export async function imported(
  from: ImportFormat,
  files: readonly string[],
  overrides: ImportOverrides = {},
  options: ReaderOptions = {},
): Promise<Imported> {
  const rows: Row[] = [];
  const inputs = await Promise.all(files.map(openInput));
  const found = await survey(inputs, { from, options, onRead });
  const header = headerOf(found, { from, market: 'BTCUSDC', overrides });
  const checks = await transcribe(found, {
    from,
    options,
    header,
    overrides,
    sink: { add: (row) => rows.push(row) },
    onRead,
    flush: () => Promise.resolve(),
  });
  return { header, checks, rows };
}

/** A row as text: milliseconds after `start`, kind, side (of levels and trades), price, size; `!` marks the last row of a message, `*` one of a snapshot. */
export function rowText({ time, code, price, size }: Row, start = 0): string {
  const kind = Object.keys(ROW).find((name) => ROW[name as keyof typeof ROW] === (code & KIND_BITS)) ?? '?';
  const side = kind === 'level' || kind === 'trade' ? [code & ASK_BIT ? 'ask' : 'bid'] : [];
  const marks = `${code & SNAPSHOT_BIT ? '*' : ''}${code & LAST_BIT ? '!' : ''}`;
  return [time / 1_000 - start, kind, ...side, price, size, ...(marks === '' ? [] : [marks])].join(' ');
}

export const rowTexts = (rows: readonly Row[], start = 0): string[] => rows.map((row) => rowText(row, start));

/** Returns the message and hint of the `UserError` that a promise is rejected with. */
export async function errorTextOf(promise: Promise<unknown>): Promise<string> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof UserError)) throw new Error(`no UserError, but ${String(thrown)}`);
  return `${thrown.message.replaceAll(`${folder}/`, '')} | ${thrown.hint ?? ''}`;
}

/** Start of the recordings of Binance in these tests. */
export const START = 1_700_000_000_000;

type Levels = readonly (readonly [string, string])[];

const received = (at: number, lag: number): string => `${START + at + lag}000000`;
const line = (at: number, stream: string, data: object, lag = 5): string =>
  `${received(at, lag)} ${JSON.stringify({ stream: `btcusdt@${stream}`, data })}`;

/** Lines of Binance's stream at milliseconds after `START`, received 5 ms later. */
export const streamLine = {
  change(at: number, ids: { U: number; u: number; pu?: number }, { b = [], a = [] }: { b?: Levels; a?: Levels }): string {
    return line(at, 'depth@0ms', { e: 'depthUpdate', E: START + at + 1, T: START + at, s: 'BTCUSDT', ...ids, b, a });
  },
  snapshot(at: number, lastUpdateId: number, { bids = [], asks = [] }: { bids?: Levels; asks?: Levels }): string {
    return `${received(at, 5)} ${JSON.stringify({ lastUpdateId, E: START + at, T: START + at, bids, asks })}`;
  },
  trade(at: number, { p = '100.0', q = '1.000', X = 'MARKET', m = false, lag = 5 } = {}): string {
    return line(at, 'trade', { e: 'trade', E: START + at, T: START + at, s: 'BTCUSDT', t: 1, p, q, X, m }, lag);
  },
  best(at: number, u: number, [b, B, a, A]: readonly [string, string, string, string]): string {
    return line(at, 'bookTicker', { e: 'bookTicker', u, s: 'BTCUSDT', b, B, a, A, T: START + at, E: START + at });
  },
  mark(at: number, { p = '100.00000000', i = '100.00000000', r = '0.00010000', due = 0, lag = 5 }): string {
    return line(at, 'markPrice@1s', { e: 'markPriceUpdate', E: START + at, s: 'BTCUSDT', p, i, r, T: START + due }, lag);
  },
};
