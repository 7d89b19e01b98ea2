// Measures recorded changes per second: a backtest of the grid on tapes of several densities, compared with a loop that only follows the book.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadStrategy } from '../src/bot/strategy/loading/loader.ts';
import { resolveParams } from '../src/bot/strategy/params.ts';
import { ASK_BIT, KIND_BITS, ROW, type Rows } from '../src/embedded/rows/rows.ts';
import type { Tape } from '../src/embedded/tape/reader.ts';
import { type Density, denseBlocks, tapeInMemory, writeDenseTape } from './dense-tape.ts';
import { type Bench, median, type Row, times } from './measure.ts';
import { playTape } from './play-tape.ts';

/** Changes per second of exchange time. A recorded perpetual has hundreds to thousands, a full feed of many markets tens of thousands. */
const DENSITIES: readonly (Density & { readonly aim?: number })[] = [
  { rows: 2_000_000, perSecond: 1_000 },
  { rows: 6_000_000, perSecond: 10_000 },
  { rows: 20_000_000, perSecond: 100_000, aim: 30e6 },
];
export const ROUNDS = 3;
const FILE = { rows: 40_000_000, perSecond: 100_000 };
const [MIN_PER_SECOND, MAX_MEGABYTES] = [25e6, 150];
/** A smaller heap than that of a command, to see what a backtest needs. */
const SMALL_HEAP = ['--max-semi-space-size=2', '--heap-growing-percent=10'];

export const replay: Bench = async () => [...(await fromMemory()), ...(await fromFile())];

async function fromMemory(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const density of DENSITIES) {
    const blocks = [...denseBlocks(density)];
    const [ours, bare, turns]: [number[], number[], number[]] = [[], [], []];
    for (let round = -1; round < ROUNDS; round++) {
      const bareSeconds = bareLoop(blocks);
      const played = await play(tapeInMemory(blocks));
      if (round < 0) continue;
      bare.push(density.rows / bareSeconds);
      ours.push(density.rows / played.seconds);
      turns.push(played.turns / played.seconds);
    }
    rows.push(rowOf(density, { ours: median(ours), bare: median(bare), turns: median(turns) }));
  }
  return rows;
}

function rowOf({ perSecond, aim }: (typeof DENSITIES)[number], { ours, bare, turns }: { ours: number; bare: number; turns: number }): Row {
  return {
    name: `replay: ${perSecond / 1_000} k changes a second`,
    figure: `${millions(ours)} M/s, ${(turns / 1_000).toFixed(0)} k turns/s`,
    baseline: `the bare loop ${millions(bare)} M/s`,
    ratio: times(ours / bare),
    aim: aim === undefined ? '' : `at least ${millions(aim)} M/s and a third`,
    met: aim === undefined ? undefined : ours >= aim && ours / bare >= 1 / 3,
  };
}

const millions = (count: number): string => (count / 1e6).toFixed(1);

/** Measures in a separate process, for its memory. The first round does not count but is reported. */
async function fromFile(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'replay-'));
  try {
    const file = join(folder, 'long.tape');
    await writeDenseTape(file, FILE);
    const { first, seconds, megabytes } = await playedAlone(file);
    return [
      {
        name: `replay: ${FILE.rows / 1e6} M rows from a file`,
        figure: `${millions(FILE.rows / seconds)} M/s, ${megabytes.toFixed(0)} MB`,
        baseline: `the first time ${millions(FILE.rows / first)} M/s`,
        ratio: '',
        aim: `at least ${millions(MIN_PER_SECOND)} M/s under ${MAX_MEGABYTES} MB`,
        met: FILE.rows / seconds >= MIN_PER_SECOND && megabytes < MAX_MEGABYTES,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The result of `replay-process.ts`. */
export interface PlayedAlone {
  readonly first: number;
  /** Median of the rounds after the first. */
  readonly seconds: number;
  /** Maximum resident memory. */
  readonly megabytes: number;
}

const playedAlone = (file: string): Promise<PlayedAlone> =>
  new Promise((resolve, reject) => {
    const execArgv = [...SMALL_HEAP, '--import', './src/base/load-typescript.mjs'];
    const child = fork(new URL('./replay-process.ts', import.meta.url), [file], { execArgv });
    child.on('message', (result) => resolve(result as PlayedAlone));
    child.on('exit', (code) => reject(new Error(`the replay ended with ${code} and said nothing`)));
  });

/** Backtests the grid with ten orders a side, with default polling and guards. */
export async function play(tape: Tape): Promise<{ seconds: number; turns: number }> {
  const { strategy } = await loadStrategy('grid');
  const began = performance.now();
  const params = resolveParams(strategy, { market: tape.header.market.symbol, levels: 10, spacingBps: 1 }, () => undefined);
  const summary = await playTape(tape, { strategy, params });
  return { seconds: (performance.now() - began) / 1_000, turns: summary.turns };
}

/** Reads the columns and keeps level totals and the best two prices: the minimum of work on this data. Returns seconds. */
function bareLoop(blocks: readonly Rows[]): number {
  const totals = [new Float64Array(1 << 21), new Float64Array(1 << 21)] as const;
  const best: [bid: number, ask: number] = [0, 1 << 21];
  const began = performance.now();
  let last = 0;
  for (const { count, times: stamps, codes, prices, sizes } of blocks) {
    for (let at = 0; at < count; at++) {
      last = stamps[at]!;
      const code = codes[at]!;
      if ((code & KIND_BITS) !== ROW.level) continue;
      const price = prices[at]!;
      if ((code & ASK_BIT) === 0) {
        totals[0][price] = sizes[at]!;
        if (sizes[at]! > 0 && price > best[0]) best[0] = price;
        else if (price === best[0]) while (best[0] > 0 && totals[0][best[0]] === 0) best[0]--;
      } else {
        totals[1][price] = sizes[at]!;
        if (sizes[at]! > 0 && price < best[1]) best[1] = price;
        else if (price === best[1]) while (best[1] < 1 << 21 && totals[1][best[1]] === 0) best[1]++;
      }
    }
  }
  if (last === 0 || best[0] >= best[1]) throw new Error('the book is crossed');
  return (performance.now() - began) / 1_000;
}
