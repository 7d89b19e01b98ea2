// Puts each seeded bug into a copy of the project; the simulation, or else the tests, must detect it. Run by hand: see docs/reliability.md.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PLAYED_EXCHANGES } from '../../src/research/simulation/plan/faults-by-exchange.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = [
  'src',
  'strategies',
  'backtest-data',
  'proto',
  'config',
  'test',
  'docs',
  'README.md',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.ci',
];
/** A process that takes longer is stopped. That shows nothing: the machine may be busy. */
const PATIENCE_MS = 900_000;
const WORKERS = Number(process.env['WORKERS'] ?? availableParallelism());
/** The tests that concern orders, what comes from outside, and what is shown of a run. */
const TESTS = [
  'unit/base/clock',
  'unit/base/json',
  'unit/world',
  'unit/exchange',
  'unit/venues',
  'unit/journal',
  'unit/run',
  'unit/risk',
  'property/kept-',
  'unit/execution',
  'unit/engine',
  'unit/embedded',
  'unit/server',
  'unit/fleet',
  'unit/monitoring',
  'unit/cli/operate',
  'security/sweep-jobs',
  'stream',
  'story/turn',
  'story/modes',
  'story/kill-switch',
  'story/limits',
  'story/spot',
  'incidents',
];

type Verdict = 'simulation' | 'tests' | 'timeout' | 'survived';
type Outcome = 'passed' | 'failed' | 'timeout';

/** Plays the unit tests of the changed folder before the simulation: faster, but it leaves open what the simulation alone would detect. */
const NEAR_FIRST = process.argv.includes('--near-first');

const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const chosen = MUTANTS.filter(({ name }) => only.length === 0 || only.some((wanted) => name.includes(wanted)));
const waiting = [...chosen];
const verdicts = new Map<string, Verdict>();
let copyPasses: Promise<Outcome> | undefined;
await Promise.all(Array.from({ length: Math.min(WORKERS, chosen.length) }, work));
summarise();

async function work(): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'tickwright-mutant-'));
  for (const entry of COPIED) cpSync(join(ROOT, entry), join(copy, entry), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  try {
    copyPasses ??= playTests(copy); // a test that fails without any bug would count every bug as detected
    if ((await copyPasses) !== 'passed') throw new Error('the tests fail without a seeded bug: mend them first');
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const verdict = await verdictOf(mutant, copy);
      verdicts.set(mutant.name, verdict);
      console.log(`${String(verdicts.size).padStart(3)}/${chosen.length}  ${verdict.padEnd(10)}  ${mutant.name}`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Tries one seeded bug in a copy, and restores the copy. */
async function verdictOf({ name, file, from, to }: Mutant, copy: string): Promise<Verdict> {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  if (original.split(from).length !== 2)
    throw new Error(`mutant "${name}": its line is in ${file} ${original.split(from).length - 1} times, not once`);
  writeFileSync(
    path,
    original.replace(from, () => to),
  );
  try {
    if (NEAR_FIRST && (await playTests(copy, testsNear(file))) === 'failed') return 'tests';
    const simulated = await play(copy, ['test/mutants/simulate.ts', ...exchangesOf(file)]);
    if (simulated === 'failed') return 'simulation';
    const tested = await playTests(copy);
    if (tested === 'failed') return 'tests';
    return simulated === 'timeout' || tested === 'timeout' ? 'timeout' : 'survived';
  } finally {
    writeFileSync(path, original);
  }
}

/** The exchange on which a bug of its adapter is sought; all of them for any other file. */
function exchangesOf(file: string): readonly string[] {
  const [, exchange = ''] = /^src\/venues\/(\w+)\//.exec(file) ?? [];
  return PLAYED_EXCHANGES.some((played) => played === exchange) ? [exchange] : [];
}

/** The folders of unit tests that have the name of a folder of the file. */
function testsNear(file: string): readonly string[] {
  const folders = file.split('/').slice(1, 3);
  return folders.map((folder) => `unit/${folder}`).filter((folder) => existsSync(join(ROOT, 'test', folder)));
}

async function playTests(copy: string, folders: readonly string[] = TESTS): Promise<Outcome> {
  if (folders.length === 0) return 'passed';
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', '--bail', '1'];
  return play(copy, [...vitest, ...folders.map((folder) => `test/${folder}`)]);
}

function play(cwd: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--import', './src/base/load-typescript.mjs', ...args], {
      cwd,
      stdio: 'ignore',
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    });
    child.on('close', (code, signal) => done(signal !== null ? 'timeout' : code === 0 ? 'passed' : 'failed'));
  });
}

function summarise(): void {
  const count = (verdict: Verdict): number => [...verdicts.values()].filter((found) => found === verdict).length;
  const seen = count('simulation') + count('tests');
  console.log(
    `${seen} of ${verdicts.size} detected (${((100 * seen) / verdicts.size).toFixed(0)} %): ${count('simulation')} by the simulation, ${count('tests')} by tests alone; ${count('timeout')} not shown, because a process took too long`,
  );
  process.exitCode = seen === verdicts.size ? 0 : 1;
}
