// The script `bot` of the package: a signal to the shell that npm starts ends the program in order, and so does the end of npm.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { scripts: Readonly<Record<string, string>> };
const COMMAND = `${scripts['bot']} exchange --hosted-port 0 --json`;

test('SIGTERM to the shell of the script ends the program, which prints its end', async () => {
  // A second command after it keeps a shell from replacing itself by the first one unasked.
  const shell = spawn('sh', ['-c', `${COMMAND}\nexit 3`], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: shell.stdout });
  const [ready] = (await once(lines, 'line')) as [string];
  expect(JSON.parse(ready)).toMatchObject({ kind: 'ready' });
  const closed = once(shell, 'close');
  shell.kill('SIGTERM');
  const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null];
  expect({ code, signal }).toEqual({ code: 0, signal: null });
});

test.each(['SIGHUP', 'SIGKILL'] as const)('%s to npm alone, which does not hand it on, ends the program too', async (name) => {
  // A parent that starts a shell as npm does, and ends by this signal. Its output stays open until the program has ended.
  const parent = `require('node:child_process').spawn('sh', ['-c', process.env.COMMAND], { stdio: 'inherit' }); setInterval(() => 0, 1000);`;
  const npm = spawn(process.execPath, ['-e', parent], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, COMMAND },
    detached: true, // in a group of its own, which a failing test ends
  });
  onTestFinished(() => {
    try {
      if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGKILL');
    } catch {} // all have ended
  });
  const lines = createInterface({ input: npm.stdout });
  const [ready] = (await once(lines, 'line')) as [string];
  expect(JSON.parse(ready)).toMatchObject({ kind: 'ready' });
  const [exited, closed] = [once(npm, 'exit'), once(npm, 'close')];
  npm.kill(name);
  expect(await exited).toEqual([null, name]);
  await closed;
});
