// `bot torture` as a process: a seed whose worker dies never counts as played.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startChild } from './children.ts';
import { temporaryFolder, writeStrategy } from './sweep-kit.ts';

test('fails, and names the seed, if a worker is killed before its result', async () => {
  const file = join(temporaryFolder(), 'killer.ts');
  const strategy = writeStrategy(file, { name: 'killer', decide: `process.kill(process.pid, 'SIGKILL'); return [];` });
  const child = startChild(['torture', '--seeds', '1', '--seed', 'k1', '--strategy', strategy, '--json']);
  expect(await child.ended).toBe(70);
  expect(child.stderrText()).toContain('the worker that played seed k1 ended with SIGKILL before its result');
  expect(child.lines).toEqual([]);
});
