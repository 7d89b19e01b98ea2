// Checks that only this user can change a folder and its files, so that files of another user are never used.
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../errors.ts';

const WRITABLE_BY_OTHERS = 0o022;
const WRITABLE_BY_ALL = 0o002;
const STICKY = 0o1000;

/** Returns the user id; undefined on systems without user ids. */
const self = (): number | undefined => process.geteuid?.();

/**
 * Throws a UserError `state` if the folder, or a file in it, belongs to another user, can be written by others or is a symbolic link or a pipe, or if others
 * could replace the folder itself. No error if there is no such folder.
 */
export function requirePrivate(folder: string, owner = self()): void {
  if (owner === undefined) return;
  const path = resolve(folder);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const reason = reasonAgainst(stats, owner) ?? unsafeParentReason(path, owner) ?? reasonWithin(path, owner);
  if (reason === undefined) return;
  throw new UserError({
    code: 'state',
    message: `${folder} is not used: ${reason}`,
    hint: 'check who created it; if all of it is yours, chown it and chmod 700 it; otherwise choose another directory with --state DIR',
  });
}

function reasonAgainst(stats: Stats, owner: number): string | undefined {
  if (stats.isSymbolicLink()) return 'it is a symbolic link';
  if (stats.uid !== owner) return `it belongs to another user (${stats.uid})`;
  if ((stats.mode & WRITABLE_BY_OTHERS) !== 0) return `others can write it (mode ${octal(stats)})`;
  return undefined;
}

/**
 * Returns the reason why others could replace the folder. Parents may belong to root; in a folder with the sticky bit, users cannot replace files of
 * others.
 */
export function unsafeParentReason(path: string, owner = self()): string | undefined {
  if (owner === undefined) return undefined;
  for (let above = dirname(path); ; above = dirname(above)) {
    const stats = lstatSync(above);
    if (!stats.isSymbolicLink()) {
      if (stats.uid !== owner && stats.uid !== 0) return `${above}, above it, belongs to another user (${stats.uid})`;
      if ((stats.mode & WRITABLE_BY_ALL) !== 0 && (stats.mode & STICKY) === 0)
        return `everybody can write ${above}, above it (mode ${octal(stats)}), and replace it`;
    }
    if (above === dirname(above)) return undefined;
  }
}

function reasonWithin(path: string, owner: number): string | undefined {
  for (const name of readdirSync(path)) {
    const stats = lstatSync(join(path, name), { throwIfNoEntry: false });
    const reason = stats === undefined ? undefined : (reasonAgainst(stats, owner) ?? blockingKind(stats));
    if (reason !== undefined) return `${name} in it: ${reason}`;
  }
  return undefined;
}

/** Opening a pipe waits for its other end, and reading a device may never end. */
const blockingKind = (stats: Stats): string | undefined =>
  stats.isFIFO() || stats.isCharacterDevice() || stats.isBlockDevice() ? 'it is a pipe or a device, not a file' : undefined;

const octal = ({ mode }: Stats): string => (mode & 0o7777).toString(8).padStart(4, '0');
