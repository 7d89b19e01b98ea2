// Puts all temporary files of one run of the suite, and of the processes that it starts, into one folder, which is removed at the end.
// JavaScript, because Vitest itself loads it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-tests-'));
  process.env.TMPDIR = folder;
  process.env.XDG_STATE_HOME = join(folder, 'state');
  return () => rmSync(folder, { recursive: true });
}
