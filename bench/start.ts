// Measures the CPU seconds of whole processes, all threads: what a user waits for at `--help`, and for the first backtest of the shipped hour with its
// report, by the built package and from the source. In alternation; the least of some rounds, because other work of the machine only adds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage, cpuSeconds, PROGRAM, ROOT } from './cpu-time.ts';
import type { Bench, Row } from './measure.ts';
import { times } from './measure.ts';

const ROUNDS = 5;
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
    const built = buildPackage(folder);
    const rows: Row[] = [];
    for (const command of COMMANDS) rows.push(await rowOf(command, { built, folder }));
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

async function rowOf(
  { name, line, aim }: (typeof COMMANDS)[number],
  { built, folder }: { built: readonly string[]; folder: string },
): Promise<Row> {
  let [ours, fromSource] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round++) {
    ours = Math.min(ours, await cpuSeconds([...built, ...line], { cwd: folder }));
    fromSource = Math.min(fromSource, await cpuSeconds([...PROGRAM, ...line], { cwd: folder }));
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
