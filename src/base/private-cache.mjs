// The folder of compiled TypeScript, which only this user can write. In a shared folder another user of the machine could put code first.
import { lstatSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/tickwright', import.meta.url));
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Returns the folder, which is created if it is missing. Undefined if it is not a directory of this user that nobody else can write, or if this user
 * cannot write the installation: code is compiled anew at each start then.
 */
export function privateCache() {
  try {
    mkdirSync(CACHE, { recursive: true, mode: 0o700 });
    const found = lstatSync(CACHE);
    const owner = process.geteuid?.();
    const isPrivate = found.isDirectory() && (owner === undefined || (found.uid === owner && (found.mode & WRITABLE_BY_OTHERS) === 0));
    return isPrivate ? CACHE : undefined;
  } catch {
    return undefined;
  }
}
