// The recordings that both sides play: imported as they are, and the same rows many times over.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codeOf, type Rows } from '../../src/domain/rows.ts';
import type { TapeHeader } from '../../src/tape/header.ts';
import { importTape } from '../../src/tape/import/import.ts';
import { exportParquet } from '../../src/tape/parquet.ts';
import { openTape, type Tape } from '../../src/tape/reader.ts';
import { createTape, type TapeWriter } from '../../src/tape/writer.ts';

/** What is played, and with which grid: prices in quote money, sizes in base units. An order is of one lot, so that none is filled in part. */
export interface Recording {
  readonly market: string;
  readonly files: readonly string[];
  readonly spacing: number;
  readonly size: number;
  readonly maxPosition: number;
}

const DATA = resolve(import.meta.dirname, '../../../shared/data/binance-usdm');

/** Spacings are a little under a basis point. */
export const RECORDINGS: readonly Recording[] = [
  { market: 'ETHUSDT', files: ['ethusdt_20240808.gz'], spacing: 0.2, size: 0.001, maxPosition: 0.01 },
  { market: 'BTCUSDT', files: ['btcusdt_20230404.dat.gz', 'btcusdt_20230405.dat.gz'], spacing: 2, size: 0.001, maxPosition: 0.01 },
];

/** Undefined where all recordings are here; else the file that is missing. */
export const missingRecording = (): string | undefined =>
  RECORDINGS.flatMap(({ files }) => files.map((name) => join(DATA, name))).find((file) => !existsSync(file));

export interface PeerTape {
  readonly tape: string;
  readonly parquet: string;
  readonly header: TapeHeader;
}

/** The recording told `times` times, one after another, as a tape and as Parquet. */
export async function peerTape({ market, files }: Recording, { folder, times }: { folder: string; times: number }): Promise<PeerTape> {
  const once = join(folder, `${market}.tape`);
  if (!existsSync(once)) await importTape({ from: 'binance', files: files.map((name) => join(DATA, name)), market, out: once });
  const tape = times === 1 ? once : join(folder, `${market}-${times}.tape`);
  if (times > 1) await repeat(once, { out: tape, times });
  const parquet = `${tape}.parquet`;
  const made = await openTape(tape);
  try {
    await exportParquet(made, parquet);
  } finally {
    await made.close();
  }
  return { tape, parquet, header: made.header };
}

/** From the last row of one telling to the first of the next, in microseconds. */
const PAUSE = 1_000_000;

async function repeat(file: string, { out, times }: { out: string; times: number }): Promise<void> {
  const tape = await openTape(file);
  try {
    const writer = await createTape(out, tape.header);
    for (let time = 0; time < times; time++) await retell(tape, { writer, time });
    await writer.close();
  } finally {
    await tape.close();
  }
}

async function retell(tape: Tape, { writer, time }: { writer: TapeWriter; time: number }): Promise<void> {
  const { facts } = tape;
  const shift = time * (facts.last - facts.first + PAUSE);
  if (time > 0) writer.add({ time: facts.first + shift, lag: 0, code: codeOf('clear'), price: 0, size: 0 });
  for await (const rows of tape.blocks()) {
    for (let at = 0; at < rows.count; at++) writer.add(shifted(rows, at, shift));
    await writer.flush();
  }
}

const shifted = ({ times, lags, codes, prices, sizes }: Rows, at: number, shift: number) => ({
  time: times[at]! + shift,
  lag: lags[at]!,
  code: codes[at]!,
  price: prices[at]!,
  size: sizes[at]!,
});
