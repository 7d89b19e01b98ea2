// A run on a real terminal that takes nothing, by Ctrl-S or because nobody is at its other end: it trades on, and ends in order when it is asked to.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';

const ROOT = new URL('../..', import.meta.url);
const PATIENCE_MS = 60_000;
/** How long it must go on trading by its own clock while its terminal takes nothing. */
const TRADES_FOR_MS = 6_000;

/** Argument 1: `stopped` by flow control, or `unread`. The rest is the command. Tells the process number and the exit code; never reads the terminal. */
const PTY = `
import os, pty, subprocess, sys, termios
master, slave = pty.openpty()
if sys.argv[1] == 'stopped': termios.tcflow(slave, termios.TCOOFF)
child = subprocess.Popen(sys.argv[2:], stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
print(child.pid, flush=True)
print('ended', child.wait(), flush=True)
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
    const command = [process.execPath, '--import', 'tsx', 'src/cli/main.ts', 'grid', '--state', state, '--seed', 'terminal', ...more];
    const python = spawn('python3', ['-c', PTY, how, ...command], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
    let told = '';
    python.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
    const ended = new Promise((resolve) => python.once('close', resolve));
    await until(() => told.includes('\n'));
    const pid = Number.parseInt(told, 10);
    onTestFinished(() => {
      if (!told.includes('ended')) process.kill(pid, 'SIGKILL');
    });
    await until(() => toldIn(state) > 0);
    const begun = toldIn(state);
    await until(() => toldIn(state) > begun + TRADES_FOR_MS);
    process.kill(pid, 'SIGINT');
    await ended;
    expect(told).toContain('ended 0\n');
  });
});
