// Measures the CPU seconds of whole processes, all threads: what a user waits for at `--help`, and for the first backtest of the shipped hour with its
// report, by the built package and from the source. In alternation; the least of some rounds, because other work of the machine only adds.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    return await Promise.resolve(COMMANDS.map((command) => rowOf(command, { built, source, folder })));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

interface Programs {
  readonly built: readonly string[];
  readonly source: readonly string[];
  readonly folder: string;
}

function rowOf({ name, line, aim }: (typeof COMMANDS)[number], { built, source, folder }: Programs): Row {
  let [ours, fromSource] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round++) {
    ours = Math.min(ours, cpuSeconds([...built, ...line], folder));
    fromSource = Math.min(fromSource, cpuSeconds([...source, ...line], folder));
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

/** The CPU time of a process of Node with these arguments, which it writes to a file at its end. */
function cpuSeconds(args: readonly string[], folder: string): number {
  const file = join(folder, 'cpu.json');
  const atExit = `import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync(${JSON.stringify(file)},JSON.stringify(process.cpuUsage())))`;
  execFileSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(atExit)}`, ...args], {
    cwd: folder,
    stdio: 'ignore',
  });
  const { user, system } = JSON.parse(readFileSync(file, 'utf8')) as NodeJS.CpuUsage;
  return (user + system) / 1e6;
}
