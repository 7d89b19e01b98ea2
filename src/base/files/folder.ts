// Creates folders.
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Creates the folder, and those above it, if they are missing. One at a time, because `mkdirSync` with `recursive` hangs for a path under `/proc`. */
export function makeFolder(path: string, mode?: number): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    if (dirname(path) !== path) makeFolder(dirname(path), mode);
    try {
      mkdirSync(path, mode);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error; // another process was faster
    }
  }
  if (!statSync(path).isDirectory()) throw new Error(`${path} is not a directory`);
}

/** Creates the folder of a file, and those above it, if they are missing. */
export const makeFolderOf = (file: string): void => makeFolder(dirname(resolve(file)));
