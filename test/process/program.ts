// The program as the package has it, built once in a run of the suite: its source is compiled at each start, which takes as much CPU time as the rest of it.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const ROOT = new URL('../..', import.meta.url).pathname;
/** The temporary folder is that of one run of the suite. */
const FOLDER = join(tmpdir(), 'program');
const UNFINISHED = `${FOLDER}.new`;
/** What the program reads beside its code. */
const FILES = ['package.json', 'config', 'proto', 'node_modules'];

/** The file that starts the program: `node BUILT_MAIN --version`. */
export const BUILT_MAIN = join(FOLDER, 'dist/cli/main.js');

/** The first file of tests that needs the program builds it; the others wait for it. */
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
  if (!existsSync(FOLDER)) throw new Error('the program could not be built: another file of tests shows the reason');
}

if (!existsSync(FOLDER)) await build();
