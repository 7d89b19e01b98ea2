// Measures the CPU seconds of whole processes, all threads: what a user waits for at `--help`, and for the first backtest of the shipped hour with its
// report, by the built package and from the source. In alternation; the least of some rounds, because other work of the machine only adds.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSeconds } from './cpu-time.ts';
import type { Bench, Row } from './measure.ts';
import { times } from './measure.ts';

const ROOT = join(import.meta.dirname, '..');
const ROUNDS = 5;
/** Files that the program reads besides its code. */
const FILES = ['package.json', 'config', 'proto', 'node_modules'];
const TAPE = join(ROOT, 'backtest-data/btcusdc-1h.tape');
const [FIRST_AIM, FIRST_AIM_NODE_26] = [2.5, 2];

/** The commands, with the most that one may take by the package. */
const COMMANDS = [
  { name: '--help', line: ['--help'], aim: undefined },
  {
    name: 'the first backtest of an hour',
    line: ['backtest', '--strategy', 'grid', '--tape', TAPE],
    aim: Number.parseInt(process.versions.node, 10) >= 26 ? FIRST_AIM_NODE_26 : FIRST_AIM,
  },
] as const;

export const start: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  try {
    execFileSync(process.execPath, [join(ROOT, '.ci/build/build.mjs'), join(folder, 'dist')]);
    for (const file of FILES) symlinkSync(join(ROOT, file), join(folder, file));
    const built = [join(folder, 'dist/cli/main.js')];
    const source = ['--import', join(ROOT, 'src/base/load-typescript.mjs'), join(ROOT, 'src/program/main.ts')];
    const rows: Row[] = [];
    for (const command of COMMANDS) rows.push(await rowOf(command, { built, source, folder }));
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

interface Programs {
  readonly built: readonly string[];
  readonly source: readonly string[];
  readonly folder: string;
}

async function rowOf({ name, line, aim }: (typeof COMMANDS)[number], { built, source, folder }: Programs): Promise<Row> {
  let [ours, fromSource] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round++) {
    ours = Math.min(ours, await cpuSeconds([...built, ...line], { cwd: folder }));
    fromSource = Math.min(fromSource, await cpuSeconds([...source, ...line], { cwd: folder }));
  }
  return {
    name: `start: ${name}`,
    figure: `${ours.toFixed(2)} s of CPU by the package`,
    baseline: `from the source ${fromSource.toFixed(2)} s`,
    ratio: times(fromSource / ours),
    aim: aim === undefined ? '' : `at most ${aim} s`,
    met: aim === undefined ? undefined : ours <= aim,
  };
}
