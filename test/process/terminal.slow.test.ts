// A run on a real terminal that accepts no output, because of Ctrl-S or because nobody reads it: the run continues to trade, and ends in order when requested.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';
import { BUILT_MAIN } from './program.ts';

const ROOT = new URL('../..', import.meta.url);
/** How long it must trade, by its own clock, while its terminal accepts nothing. */
const TRADES_FOR_MS = 6_000;

/** Argument 1: `stopped` by flow control, or `unread`. The rest is the command. Reports the process id and the exit code; never reads the terminal. */
const PTY = `
import os, pty, subprocess, sys, termios
master, slave = pty.openpty()
if sys.argv[1] == 'stopped': termios.tcflow(slave, termios.TCOOFF)
child = subprocess.Popen(sys.argv[2:], stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
print(child.pid, flush=True)
print('ended', child.wait(), flush=True)
`;
/** Argument 1: `stopped` by flow control for a second, or `read` all the time. Standard error is no terminal. Reports what the terminal received in the end. */
const PTY_READ = `
import os, pty, subprocess, sys, termios, threading
master, slave = pty.openpty()
if sys.argv[1] == 'stopped': termios.tcflow(slave, termios.TCOOFF)
child = subprocess.Popen(sys.argv[2:], stdin=slave, stdout=slave, stderr=subprocess.PIPE, start_new_session=True)
print(child.stderr.readline().decode().strip(), flush=True)
termios.tcflow(slave, termios.TCOON)
os.close(slave)
count = 0
try:
  while True:
    got = os.read(master, 65536)
    if not got: break
    count += got.count(b'x')
except OSError: pass
print(count, child.wait(), flush=True)
`;
/** Writes to a terminal that it may not open again, reports on standard error that it continues, and ends when everything is written. */
const WRITER = `
import { nonBlocking } from './src/program/process/terminal-output.ts';
const output = nonBlocking(process.stdout, () => { throw new Error('EACCES'); });
for (let at = 0; at < 100; at++) output.write('x'.repeat(10_000));
setTimeout(() => process.stderr.write('goes on\\n'), 100);
output.write('', () => process.exit(0));
`;
const hasPty = spawnSync('python3', ['-c', 'import pty, termios']).status === 0;

const toldIn = (state: string): number => {
  try {
    return Date.parse((JSON.parse(readFileSync(join(state, 'now.json'), 'utf8')) as { at: string }).at);
  } catch {
    return Number.NaN;
  }
};

async function until(holds: () => boolean): Promise<void> {
  for (const begun = performance.now(); !holds(); ) {
    if (performance.now() > begun + PATIENCE_MS) throw new Error('it never came to that');
    await wait(50);
  }
}

describe.skipIf(!hasPty)('a terminal (skipped where python3 has no pty module)', { timeout: 3 * PATIENCE_MS }, () => {
  test.each([
    ['stopped', []],
    ['unread', []],
    ['stopped', ['--json']],
  ])('%s %j', async (how, more) => {
    const state = join(mkdtempSync(join(tmpdir(), 'terminal-')), 'state');
    const command = [process.execPath, BUILT_MAIN, 'grid', '--state', state, '--seed', 'terminal', ...more];
    const python = spawn('python3', ['-c', PTY, how, ...command], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
    let reported = '';
    python.stdout.on('data', (chunk: Buffer) => (reported += chunk.toString()));
    const ended = new Promise((resolve) => python.once('close', resolve));
    await until(() => reported.includes('\n'));
    const pid = Number.parseInt(reported, 10);
    onTestFinished(() => {
      if (!reported.includes('ended')) process.kill(pid, 'SIGKILL');
    });
    await until(() => toldIn(state) > 0);
    const begun = toldIn(state);
    await until(() => toldIn(state) > begun + TRADES_FOR_MS);
    process.kill(pid, 'SIGINT');
    await ended;
    expect(reported).toContain('ended 0\n');
  });

  test.each(['stopped', 'read'])(
    '%s, and not to be opened again by this user: writing to it does not block, and nothing is lost',
    async (how) => {
      const command = [process.execPath, '--import', './src/base/load-typescript.mjs', '--input-type=module', '--eval', WRITER];
      const python = spawn('python3', ['-c', PTY_READ, how, ...command], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void python.kill('SIGKILL'));
      let reported = '';
      python.stdout.on('data', (chunk: Buffer) => (reported += chunk.toString()));
      await new Promise((resolve) => python.once('close', resolve));
      expect(reported).toBe('goes on\n1000000 0\n');
    },
  );
});
