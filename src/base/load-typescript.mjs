// Registers tsx, which compiles TypeScript as it is imported, with a cache that only this user can write.
// tsx by itself runs code from a cache at a predictable path in the shared temporary folder, where another user of the machine can put code first.
import { privateCache } from './private-cache.mjs';

process.on('SIGUSR1', () => undefined); // Node's own handler opens a debugger port: see src/cli/process/no-debugger.ts

const cache = privateCache();
const { TMPDIR: before, TSX_DISABLE_CACHE: disabled } = process.env;
if (cache !== undefined) process.env.TMPDIR = cache;
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
