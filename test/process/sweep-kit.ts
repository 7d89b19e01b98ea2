// Helpers for tests of sweeps: tapes, the printed result of a sweep, the bytes of a store, strategy files.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { rngFrom } from '../../src/base/rng.ts';
import type { Child, Printed } from './children.ts';
import { BUILT_MAIN } from './program.ts';

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'sweeps-'));

/** Records 30 s of the embedded exchange. */
export const recordTape = (file: string): Promise<void> =>
  program(['record', '--markets', 'BTCUSDC', '--for', '30s', '--seed', 'sweep', '--market', 'swinging', '--out', file]);

/** Makes a tape of 15-minute candles of a random walk over whole days. */
export async function candleTape(file: string, days: number): Promise<void> {
  const rng = rngFrom('candles');
  const lines = ['timestamp,open,high,low,close,volume'];
  let close = 60_000;
  for (let at = Date.UTC(2026, 0, 5); lines.length <= days * 96; at += 900_000) {
    const open = close;
    const path = [open, open * (1 + rng.normal() * 1e-3), open * (1 + rng.normal() * 1e-3)];
    close = path[2] ?? open;
    lines.push([at, open.toFixed(1), Math.max(...path).toFixed(1), Math.min(...path).toFixed(1), close.toFixed(1), '10.125'].join(','));
  }
  const csv = `${file}.csv`;
  writeFileSync(csv, `${lines.join('\n')}\n`);
  await program(['import', '--from', 'candles', csv, '--market', 'BTCUSDC', '--out', file]);
}

/** Writes the part of a tape between two times. */
export const sliceTape = (tape: string, { from, to }: { readonly from?: string; readonly to?: string }, out: string): Promise<void> =>
  program([
    'tape',
    'slice',
    tape,
    ...(from === undefined ? [] : ['--from', from]),
    ...(to === undefined ? [] : ['--to', to]),
    '--out',
    out,
  ]);

async function program(args: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [BUILT_MAIN, ...args], { cwd: new URL('../..', import.meta.url) });
}

export interface Swept {
  readonly code: number | null;
  readonly rows: readonly Printed[];
  readonly summary: Printed | undefined;
}

export async function finished(child: Child): Promise<Swept> {
  const code = await child.ended;
  return { code, rows: child.lines.filter(({ kind }) => kind === 'row'), summary: child.lines.find(({ kind }) => kind === 'summary') };
}

/** The bytes of a vacuumed copy of a store, which do not depend on the order of insertion. */
export function bytesOf(store: string): string {
  const database = new DatabaseSync(store);
  const copy = join(temporaryFolder(), 'copy.sqlite');
  database.exec(`vacuum into '${copy}'`);
  database.close();
  return readFileSync(copy).toString('base64');
}

/** A strategy with one parameter, `far`. */
export function writeStrategy(file: string, { name, decide }: { name: string; decide: string }): string {
  writeFileSync(
    file,
    `import { defineStrategy } from 'tickwright';
export default defineStrategy({ name: '${name}', defaults: { market: 'BTCUSDC', far: 1 }, create({ market, far }) {
  return (view) => { const { mid, quote } = view.market(market); if (mid === undefined) return []; ${decide} };
} });
`,
  );
  return file;
}
