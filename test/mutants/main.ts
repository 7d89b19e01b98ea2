// Puts each seeded bug into a copy of the project; the simulation, or else the tests, must detect it. Run by hand: see docs/reliability.md.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PLAYED_EXCHANGES } from '../../src/research/simulation/plan/exchange-faults.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = [
  'src',
  'strategies',
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
const PATIENCE_MS = 300_000;
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

type Verdict = 'simulation' | 'tests' | 'survived';

const only = process.argv.slice(2);
const chosen = MUTANTS.filter(({ name }) => only.length === 0 || only.some((wanted) => name.includes(wanted)));
const waiting = [...chosen];
const verdicts = new Map<string, Verdict>();
let copyPasses: Promise<boolean> | undefined;
await Promise.all(Array.from({ length: Math.min(WORKERS, chosen.length) }, work));
summarise();

async function work(): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'tickwright-mutant-'));
  for (const entry of COPIED) cpSync(join(ROOT, entry), join(copy, entry), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  try {
    copyPasses ??= passesTests(copy); // a test that fails without any bug would count every bug as detected
    if (!(await copyPasses)) throw new Error('the tests fail without a seeded bug: mend them first');
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
    if (!(await passes(copy, ['test/mutants/simulate.ts', ...exchangesOf(file)]))) return 'simulation';
    return (await passesTests(copy)) ? 'survived' : 'tests';
  } finally {
    writeFileSync(path, original);
  }
}

/** The exchange on which a bug of its adapter is sought; all of them for any other file. */
function exchangesOf(file: string): readonly string[] {
  const [, exchange = ''] = /^src\/venues\/(\w+)\//.exec(file) ?? [];
  return PLAYED_EXCHANGES.some((played) => played === exchange) ? [exchange] : [];
}

function passesTests(copy: string): Promise<boolean> {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', '--bail', '1'];
  return passes(copy, [...vitest, ...TESTS.map((folder) => `test/${folder}`)]);
}

function passes(cwd: string, args: readonly string[]): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--import', './src/base/load-typescript.mjs', ...args], {
      cwd,
      stdio: 'ignore',
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    });
    child.on('close', (code) => done(code === 0));
  });
}

function summarise(): void {
  const count = (verdict: Verdict): number => [...verdicts.values()].filter((found) => found === verdict).length;
  const killed = verdicts.size - count('survived');
  console.log(
    `${killed} of ${verdicts.size} killed (${((100 * killed) / verdicts.size).toFixed(0)} %): ${count('simulation')} by the simulation, ${count('tests')} by tests alone`,
  );
  process.exitCode = count('survived') === 0 ? 0 : 1;
}
