// The script `bot` of the package: a signal to the shell that npm starts ends the program in order.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

test('SIGTERM to the shell of the script ends the program, which prints its end', async () => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { scripts: Readonly<Record<string, string>> };
  const command = `${scripts['bot']} exchange --hosted-port 0 --json`;
  // A second command after it keeps a shell from replacing itself by the first one unasked.
  const shell = spawn('sh', ['-c', `${command}\nexit 3`], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: shell.stdout });
  const [ready] = (await once(lines, 'line')) as [string];
  expect(JSON.parse(ready)).toMatchObject({ kind: 'ready' });
  const closed = once(shell, 'close');
  shell.kill('SIGTERM');
  const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null];
  expect({ code, signal }).toEqual({ code: 0, signal: null });
});
