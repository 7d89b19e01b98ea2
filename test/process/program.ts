// The built program, as in the package. It is built once per run of the suite, because compiling the source at each start doubles the CPU time.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const ROOT = new URL('../..', import.meta.url).pathname;
/** In the temporary folder of this run of the suite. */
const FOLDER = join(tmpdir(), 'program');
const UNFINISHED = `${FOLDER}.new`;
/** Files that the program reads besides its code. */
const FILES = ['package.json', 'config', 'proto', 'node_modules'];

/** The file that starts the program: `node BUILT_MAIN --version`. */
export const BUILT_MAIN = join(FOLDER, 'dist/cli/main.js');

/** The first test file that needs the program builds it; the others wait. */
async function build(): Promise<void> {
  try {
    mkdirSync(UNFINISHED);
  } catch {
    return built();
  }
  try {
    await promisify(execFile)(process.execPath, [join(ROOT, '.ci/build/build.mjs'), join(UNFINISHED, 'dist')]);
    for (const file of FILES) symlinkSync(join(ROOT, file), join(UNFINISHED, file));
    renameSync(UNFINISHED, FOLDER);
  } finally {
    rmSync(UNFINISHED, { recursive: true, force: true });
  }
}

async function built(): Promise<void> {
  while (existsSync(UNFINISHED)) await wait(50);
  if (!existsSync(FOLDER)) throw new Error('the program could not be built: another test file shows the reason');
}

if (!existsSync(FOLDER)) await build();
