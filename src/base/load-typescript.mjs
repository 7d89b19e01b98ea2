// Registers tsx, which compiles TypeScript as it is imported, with a cache that only this user can write.
// tsx by itself runs code from a cache at a predictable path in the shared temporary folder, where another user of the machine can put code first.
import { lstatSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.on('SIGUSR1', () => undefined); // Node's own handler opens a debugger port: see src/program/process/no-debugger.ts

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/tickwright', import.meta.url));
const WRITABLE_BY_OTHERS = 0o022;

/** True if the cache is a directory of this user that nobody else can write; it is created if it is missing. */
function isPrivate(directory) {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const found = lstatSync(directory);
    const owner = process.geteuid?.();
    return found.isDirectory() && (owner === undefined || (found.uid === owner && (found.mode & WRITABLE_BY_OTHERS) === 0));
  } catch {
    return false; // an installation that this user cannot write is compiled anew at each start
  }
}

const { TMPDIR: before, TSX_DISABLE_CACHE: disabled } = process.env;
if (isPrivate(CACHE)) process.env.TMPDIR = CACHE;
else process.env.TSX_DISABLE_CACHE = '1';
try {
  await import('tsx');
} finally {
  restore('TMPDIR', before);
  restore('TSX_DISABLE_CACHE', disabled);
}

/** Restores the environment for child processes and everything else. */
function restore(name, value) {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
