// The tapes that both sides play: Binance recordings, once and ten times in a row, and a generated market that is far denser.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codeOf } from '../../src/embedded/rows/rows.ts';
import type { TapeHeader } from '../../src/embedded/tape/header.ts';
import { exportParquet } from '../../src/embedded/tape/parquet.ts';
import { openTape, type Tape } from '../../src/embedded/tape/reader.ts';
import { createTape, type TapeWriter } from '../../src/embedded/tape/writer.ts';
import { importTape } from '../../src/research/import/import.ts';
import { addRows, type Density, denseHeader, writeDenseTape } from '../dense-tape.ts';

/** A tape and the parameters of its grid: prices in quote tokens, sizes in base tokens. Orders are of one lot, so that none is partly filled. */
export interface Recording {
  readonly name: string;
  readonly market: string;
  readonly make: (out: string) => Promise<void>;
  readonly spacing: number;
  readonly size: number;
  readonly maxPosition: number;
  /** How many times as fast as hftbacktest the whole bot should be. */
  readonly aim: number;
  /** True if NautilusTrader plays it too: a play within a minute, with all events in memory. */
  readonly nautilus: boolean;
}

const DATA = resolve(import.meta.dirname, '../../../shared/data/binance-usdm');
const FILES = {
  ETHUSDT: ['ethusdt_20240808.gz'],
  BTCUSDT: ['btcusdt_20230404.dat.gz', 'btcusdt_20230405.dat.gz'],
};
const MADE: readonly Density[] = [10_000, 100_000].map((perSecond) => ({ rows: 6_000_000, perSecond }));
const TEN_TIMES = 10;

/** Returns a missing recording file, or undefined if all are present. */
export const missingRecording = (): string | undefined =>
  Object.values(FILES)
    .flatMap((names) => names.map((name) => join(DATA, name)))
    .find((file) => !existsSync(file));

/** The spacings are a little under a basis point. */
const ETH = { market: 'ETHUSDT', spacing: 0.2, size: 0.001, maxPosition: 0.01, aim: 0.6, nautilus: true } as const;
const BTC = { market: 'BTCUSDT', spacing: 2, size: 0.001, maxPosition: 0.01, aim: 0.6, nautilus: true } as const;

export const RECORDINGS: readonly Recording[] = [
  ...[ETH, BTC].flatMap((grid): readonly Recording[] => {
    const { market } = grid;
    const once = { ...grid, name: market, make: (out: string) => imported(market, out) };
    return [once, { ...once, nautilus: false, name: `${market} ×${TEN_TIMES}`, make: (out: string) => repeated(once, out) }];
  }),
  ...MADE.map((density): Recording => {
    const name = `made, ${density.perSecond / 1_000} k rows a second`;
    const lot = 10 ** -denseHeader.market.sizeDecimals;
    return {
      name,
      market: denseHeader.market.symbol,
      make: (out) => writeDenseTape(out, density),
      spacing: 2,
      size: lot,
      maxPosition: 10 * lot,
      aim: 5,
      nautilus: false,
    };
  }),
];

export interface PeerTape {
  readonly tape: string;
  readonly parquet: string;
  readonly header: TapeHeader;
  readonly rows: number;
}

/** Writes the recording as a tape and as Parquet. */
export async function peerTape({ name, make }: Recording, folder: string): Promise<PeerTape> {
  const tape = join(folder, `${name.replaceAll(/\W+/g, '-')}.tape`);
  await make(tape);
  const parquet = `${tape}.parquet`;
  const opened = await openTape(tape);
  try {
    await exportParquet(opened, parquet);
  } finally {
    await opened.close();
  }
  return { tape, parquet, header: opened.header, rows: opened.facts.rows };
}

async function imported(market: keyof typeof FILES, out: string): Promise<void> {
  await importTape({ from: 'binance', files: FILES[market].map((name) => join(DATA, name)), market, out });
}

/** Time from the last row of one repetition to the first of the next, in microseconds. */
const PAUSE = 1_000_000;

async function repeated({ make }: Recording, out: string): Promise<void> {
  const once = `${out}.once`;
  await make(once);
  const tape = await openTape(once);
  try {
    const writer = await createTape(out, tape.header);
    for (let time = 0; time < TEN_TIMES; time++) await appendAgain(tape, { writer, time });
    await writer.close();
  } finally {
    await tape.close();
  }
}

async function appendAgain(tape: Tape, { writer, time }: { writer: TapeWriter; time: number }): Promise<void> {
  const { facts } = tape;
  const shift = time * (facts.last - facts.first + PAUSE);
  if (time > 0) writer.add({ time: facts.first + shift, lag: 0, code: codeOf('clear'), price: 0, size: 0 });
  for await (const rows of tape.blocks()) await addRows(rows, { writer, shift });
}
