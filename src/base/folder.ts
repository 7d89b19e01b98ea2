// A folder that is to be there.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes it where it is missing, with those above it: one after the other, for making several at once never ends under `/proc`. */
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
