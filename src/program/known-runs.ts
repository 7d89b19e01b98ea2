// Remembers the state directories of this user's runs on this machine, so that one command can list them all.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../base/errors.ts';
import { makeFolder } from '../base/files/folder.ts';
import { requirePrivate } from '../base/files/private.ts';
import { type Environment, machineFolder } from '../bot/run/state/machine.ts';
import { FACTS_FILE } from '../venues/kind/facts.ts';

/** Default folder of the state directories of all runs, in the folder that a command is started in. */
export const DEFAULT_RUNS_FOLDER = '.bot';

const folderOf = (env: Environment): string => join(machineFolder(env), 'runs');

const fileOf = (directory: string): string => createHash('sha256').update(directory).digest('hex').slice(0, 32);

/** Adds a state directory to the list. If the folder cannot be written, the run stays unlisted; that is no error. */
export function rememberRun(directory: string, env: Environment): void {
  const folder = folderOf(env);
  try {
    makeFolder(folder, 0o700);
    requirePrivate(folder);
    writeFileSync(join(folder, fileOf(resolve(directory))), `${resolve(directory)}\n`, { mode: 0o600 });
  } catch {
    // `bot status` then lists this run only where it was started
  }
}

/** Returns the listed state directories that still contain a run, as absolute paths. Removes the others from the list. */
export function knownRuns(env: Environment): readonly string[] {
  const folder = folderOf(env);
  return namesIn(folder).flatMap((name) => {
    const file = join(folder, name);
    try {
      const directory = readFileSync(file, 'utf8').trim();
      if (existsSync(join(directory, FACTS_FILE))) return [directory];
      rmSync(file, { force: true });
      return [];
    } catch {
      return [];
    }
  });
}

/** Returns no names if the folder is missing or not private. */
function namesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  try {
    requirePrivate(folder);
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
