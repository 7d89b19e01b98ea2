// The path of a file that is written: checks whether an existing file may be replaced (only a tape that can be made again), and opens a new one.
import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { messageOf, UserError } from '../../base/errors.ts';
import { makeFolderOf } from '../../base/files/folder.ts';
import type { TapeHeader } from './header.ts';
import { openSource, tapeError } from './source.ts';

/** True for a tape made from a seed or from files. False for a live recording, recognised by its polled books and the command in its header. */
export const isReproducible = ({ books, made }: TapeHeader): boolean => books !== 'polled' || made?.command === undefined;

/** Throws a UserError if `path` exists and may not be replaced. */
export async function checkReplaceable(path: string, mayReplace: (old: TapeHeader) => boolean): Promise<void> {
  if (!existsSync(path)) return;
  try {
    const { handle, header } = await openSource(path, 'r');
    await handle.close();
    if (!mayReplace(header)) throw tapeError(path, `is a tape of ${header.market.symbol}, from ${header.source}`);
  } catch (error) {
    throw new UserError({ code: 'tape', message: `${messageOf(error)}; it is left as it is`, hint: 'choose another --out' });
  }
}

/** Opens a file for writing. Creates its folder if that is missing. */
export async function openNew(file: string, flags: 'w' | 'wx'): Promise<FileHandle> {
  makeFolderOf(file);
  return open(file, flags);
}
