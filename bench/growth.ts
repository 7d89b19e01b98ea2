// How the CPU time of a command grows with what it is given: whole processes from the source. The exponent of a step
// is the logarithm of how the time grew divided by that of how the input grew; the start of the program is taken off first.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTape } from '../src/embedded/tape/writer.ts';
import { cpuSeconds, PROGRAM, ROOT } from './cpu-time.ts';
import { addRows, denseBlocks, denseHeader } from './dense-tape.ts';
import { recordingOf, shortRun, stateOfDays } from './long-state.ts';
import type { Bench, Row } from './measure.ts';
import { candleTape, randomCandles } from './peers/candle-tape.ts';

/** The exponent of the last step, from the second largest input to the largest. */
const AIM = 1.1;
/** A folder in memory: CPU time is measured, not a disk. */
const MEMORY = '/dev/shm';

/** The page reads a recording in a script, which ends; the command serves until it is stopped. */
const PAGE = [...PROGRAM.slice(0, 2), join(import.meta.dirname, 'page-process.ts')];

/** Writes the input of a size into a folder, and returns the command that reads it. */
type Prepare = (size: number, folder: string) => Promise<readonly string[]>;

interface Growth {
  readonly name: string;
  readonly sizes: readonly number[];
  /** Larger ones, which take minutes: measured only if `--row` names the row. */
  readonly more?: readonly number[];
  readonly prepare: Prepare;
  /** Arguments of Node before those of the command; default: the program. */
  readonly program?: readonly string[];
}

/** Strategies that are as simple as what they measure. */
const STRATEGIES = {
  /** One order far below each market. */
  many: `export default defineStrategy({ name: 'many', defaults: { markets: ['M0USDC'] }, create: ({ markets }) => (view) =>
    markets.map((name) => view.market(name)).flatMap(({ bestBid, quote }) =>
      bestBid === undefined ? [] : [quote({ bids: [{ price: bestBid * 0.99, size: 0.01 }], asks: [], slackBps: 50 })]) });`,
  /** So many orders on each side, at prices that never move. */
  ladder: `export default defineStrategy({ name: 'ladder', defaults: { market: 'BTCUSDC', levels: 5 }, create({ market, levels }) {
    let mid: number | undefined; return (view) => { const seen = view.market(market); mid ??= seen.mid; if (mid === undefined) return [];
      const from = mid; const side = (sign: number) => Array.from({ length: levels }, (_, at) => ({ price: from + sign * (50 + at), size: 0.001 }));
      return [seen.quote({ bids: side(-1), asks: side(1), slackBps: 0 })]; }; } });`,
  /** Buys and sells in turn: about one fill a candle. */
  flip: `export default defineStrategy({ name: 'flip', defaults: { market: 'BTCUSDC' }, create: ({ market }) => (view) => {
    const { mid, position, quote } = view.market(market); if (mid === undefined) return [];
    return [quote(position > 0 ? { bids: [], asks: [{ price: mid * 0.98, size: 0.01 }] } : { bids: [{ price: mid * 1.02, size: 0.01 }], asks: [] })]; } });`,
};

/** Limits that let 500 orders rest on each side; all of them are sent within seconds. */
const MANY_ORDERS = ['limits.open-orders.maxPerMarket=2000', 'limits.rate.maxPerSecond=500', 'limits.rate.maxPerMinute=5000'];

const GROWTHS: readonly Growth[] = [
  {
    name: 'rows of a tape, in thousands',
    sizes: [500, 2_000, 8_000, 32_000],
    async prepare(size, folder) {
      const file = join(folder, 'dense.tape');
      await writeDense(file, { rows: size * 1_000, perSecond: 100_000, symbol: 'BTCUSDC' });
      return ['backtest', '--strategy', 'grid', '--tape', file];
    },
  },
  {
    name: 'markets',
    sizes: [1, 5, 20, 50],
    async prepare(size, folder) {
      mkdirSync(join(folder, `markets-${size}`));
      const files = Array.from({ length: size }, (_, index) => join(folder, `markets-${size}`, `m${index}.tape`));
      for (const [index, file] of files.entries()) await writeDense(file, { rows: 200_000, perSecond: 1_000, symbol: `M${index}USDC` });
      return [
        'backtest',
        '--strategy',
        join(folder, 'many.ts'),
        '--set',
        `params.markets=[${files.map((_, index) => `M${index}USDC`).join(',')}]`,
        '--tape',
        ...files,
      ];
    },
  },
  {
    name: 'orders on a side',
    sizes: [5, 25, 120],
    async prepare(size, folder) {
      const file = join(folder, 'orders.tape');
      await writeDense(file, { rows: 2_000_000, perSecond: 10_000, symbol: 'BTCUSDC' });
      return ['backtest', '--strategy', join(folder, 'ladder.ts'), '--set', `params.levels=${size}`, ...MANY_ORDERS, '--tape', file];
    },
  },
  { name: 'fills of a backtest with its report', sizes: [1e2, 1e3, 1e4, 1e5], more: [1e6], prepare: reported },
  {
    name: 'fills of an export',
    sizes: [1e2, 1e3, 1e4, 1e5],
    more: [1e6],
    async prepare(size, folder) {
      const report = join(folder, `fills-${size}.html`);
      if (!existsSync(report)) await cpuSeconds([...PROGRAM, ...(await reported(size, folder))], { cwd: ROOT });
      return ['export', report, '--out', join(folder, `export-${size}`)];
    },
  },
  {
    name: 'points of a sweep',
    sizes: [10, 100],
    more: [1_000],
    async prepare(size, folder) {
      const store = join(folder, `sweep-${size}.sqlite`);
      const tape = await candles(500, folder);
      return ['sweep', '--strategy', 'grid', '--tape', tape, '--no-days', '--param', `spacingBps=10:${9 + size}:1`, '--store', store];
    },
  },
  { name: 'days of a journal, a start', sizes: [1, 3], more: [10, 30], prepare: async (days, folder) => shortRun(traded(days, folder)) },
  { name: 'days of a journal, status', sizes: [1, 3], more: [10, 30], prepare: async (days, folder) => (traded(days, folder), ['status']) },
  {
    name: 'days of a journal, logs',
    sizes: [1, 3],
    more: [10, 30],
    prepare: async (days, folder) => ['logs', '--state', traded(days, folder), '--lines', '1000'],
  },
  {
    name: 'events on a page',
    sizes: [1e3, 1e4, 1e5],
    program: PAGE,
    async prepare(size, folder) {
      const file = join(folder, `turns-${size}.jsonl.gz`);
      await recordingOf(size, file);
      return [file];
    },
  },
];

async function reported(fills: number, folder: string): Promise<readonly string[]> {
  const tape = await candles(fills, folder);
  return ['backtest', '--strategy', join(folder, 'flip.ts'), '--tape', tape, '--report', join(folder, `fills-${fills}.html`)];
}

/** Returns the state directory of a run that traded for so many days. */
function traded(days: number, folder: string): string {
  const directory = join(folder, `days-${days}`);
  if (!existsSync(directory)) stateOfDays(days, directory, envOf(folder));
  return directory;
}

/** The runs of the machine are listed in the folder of the bench. */
const envOf = (folder: string): NodeJS.ProcessEnv => ({ ...process.env, XDG_STATE_HOME: folder });

export const growth: Bench = async ({ row }) => {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'growth-'));
  try {
    for (const [name, text] of Object.entries(STRATEGIES))
      writeFileSync(join(folder, `${name}.ts`), `import { defineStrategy } from 'tickwright';\n${text}\n`);
    const start = await cpuSeconds([...PROGRAM, '--help'], { cwd: ROOT });
    const rows: Row[] = [];
    for (const one of GROWTHS)
      if (row === undefined) rows.push(await rowOf(one, { folder, start }));
      else if (one.name.includes(row)) rows.push(await rowOf({ ...one, sizes: [...one.sizes, ...(one.more ?? [])] }, { folder, start }));
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

async function rowOf(
  { name, sizes, prepare, program = PROGRAM }: Growth,
  { folder, start }: { folder: string; start: number },
): Promise<Row> {
  const seconds: number[] = [];
  for (const size of sizes) {
    const taken = await cpuSeconds([...program, ...(await prepare(size, folder))], { cwd: ROOT, env: envOf(folder) });
    seconds.push(taken);
    console.error(`  ${name} ${size}: ${taken.toFixed(2)} s`);
  }
  const exponents = sizes.slice(1).map((size, index) => {
    const [before, after] = [seconds[index]!, seconds[index + 1]!].map((taken) => Math.max(0.01, taken - start)) as [number, number];
    return Math.log(after / before) / Math.log(size / sizes[index]!);
  });
  const last = exponents.at(-1)!;
  return {
    name: `growth: ${name}: ${sizes.join(', ')}`,
    figure: seconds.map((taken) => taken.toFixed(2)).join(', ') + ' s of CPU',
    baseline: `a start ${start.toFixed(2)} s`,
    ratio: `exponents ${exponents.map((exponent) => exponent.toFixed(2)).join(', ')}`,
    aim: `the last at most ${AIM}`,
    met: last <= AIM,
  };
}

async function writeDense(file: string, { symbol, ...density }: { rows: number; perSecond: number; symbol: string }): Promise<void> {
  const writer = await createTape(file, { ...denseHeader, market: { ...denseHeader.market, symbol } });
  for (const rows of denseBlocks(density)) await addRows(rows, { writer, shift: 0 });
  await writer.close();
}

async function candles(count: number, folder: string): Promise<string> {
  const file = join(folder, `candles-${count}.tape`);
  const tape = candleTape(randomCandles(count));
  const writer = await createTape(file, tape.header);
  for await (const rows of tape.blocks()) await addRows(rows, { writer, shift: 0 });
  await writer.close();
  return file;
}
