// The CPU time of whole processes: all threads, and the children, also those that end after their parent.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');
/** Arguments of Node for the program from the source. */
export const PROGRAM = ['--import', join(ROOT, 'src/base/load-typescript.mjs'), join(ROOT, 'src/program/main.ts')];
/** Files that the program reads besides its code. */
const FILES = ['package.json', 'config', 'proto', 'node_modules'];

/** Builds the package into a folder. Returns the arguments of Node for its program. */
export function buildPackage(folder: string): readonly string[] {
  execFileSync(process.execPath, [join(ROOT, '.ci/build/build.mjs'), join(folder, 'dist')]);
  for (const file of FILES) symlinkSync(join(ROOT, file), join(folder, file));
  return [join(folder, 'dist/cli/main.js')];
}

/** Returns the seconds of CPU of Node with these arguments. Throws with what it wrote to standard error if it fails. */
export async function cpuSeconds(
  args: readonly string[],
  { cwd, env = process.env }: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'cpu-'));
  try {
    execFileSync(process.execPath, args, {
      cwd,
      env: { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(noting(folder))}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    while (namesIn(folder, '.began').length > namesIn(folder, '.ended').length) await new Promise((resolve) => setTimeout(resolve, 50));
    return namesIn(folder, '.ended').reduce((seconds, name) => seconds + Number(readFileSync(join(folder, name), 'utf8')), 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Every process writes a file when it begins, and its CPU time into another when it ends. */
const noting = (folder: string): string => `
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
  const file = ${JSON.stringify(`${folder}/`)} + process.pid;
  writeFileSync(file + '.began', '');
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    writeFileSync(file + '.ended', String((user + system) / 1e6));
  });
}`;

const namesIn = (folder: string, ending: string): readonly string[] => readdirSync(folder).filter((name) => name.endsWith(ending));
