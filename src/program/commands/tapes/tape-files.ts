// The files of `--tape`: a folder stands for all tapes and all downloaded history below it. Also the lock of a file while it is recorded.
import { statSync } from 'node:fs';
import { lockTapes } from '../../../embedded/recording/tape-lock.ts';
import { tapesBelow } from '../../../research/download/tape-folder.ts';
import type { Host } from '../../host.ts';
import { type Progress, progressOf } from '../../output/progress.ts';

/** Returns the files, with those of folders in place of the folders. Throws a UserError for a folder without tapes. */
export async function tapeFilesOf(paths: readonly string[], host: Host): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of paths) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
      files.push(path);
      continue;
    }
    let progress: Progress | undefined; // nearly always, nothing is to be made
    const at: Progress['at'] = (share, note) => (progress ??= progressOf('tapes', host)).at(share, note);
    files.push(...(await tapesBelow(path, at).finally(() => progress?.end())));
  }
  return files;
}

/**
 * Locks the files while `work` runs, at most until the process exits, so that each tape has one recorder. Throws a UserError `tape` if another recorder holds
 * one of them.
 */
export async function whileLocked<T>(files: readonly string[], host: Host, work: () => Promise<T>): Promise<T> {
  const release = lockTapes(files, host.pid);
  host.onExit(release);
  try {
    return await work();
  } finally {
    release();
  }
}
