// How a run manages its watchdog: there is exactly one, it is replaced if it ends or hangs, and a person is notified while there is none.

import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { isAlive } from '../../../../src/base/files/node-disk.ts';
import { type RunWatchdog, startWatchdog } from '../../../../src/program/commands/operate/start-watchdog.ts';
import { PATIENCE } from '../../../patience.ts';

/** Replaces the program: writes down its process id and its input, and answers each heartbeat by default. */
const PROGRAM = `
const { appendFileSync } = require('node:fs');
const directory = process.argv.at(-1);
appendFileSync(directory + '/pids', process.pid + '\\n');
process.stdin.on('data', (chunk) => {
  appendFileSync(directory + '/heard-' + process.pid, chunk);
  if (process.env.SILENT_WATCHDOG !== directory) process.stdout.write('a');
});
process.stdin.on('end', () => process.exit(0));
`;

class WatchedRun {
  readonly directory = mkdtempSync(join(tmpdir(), 'watched-'));
  readonly clock = new VirtualClock(0);
  readonly said: string[] = [];
  readonly watched: RunWatchdog;

  constructor({ program = process.execPath, silent = false }: { program?: string; silent?: boolean } = {}) {
    if (silent) process.env['SILENT_WATCHDOG'] = this.directory;
    const log = { info: () => undefined, warn: (text: string) => void this.said.push(text) };
    const watched = startWatchdog(
      { self: { program, args: ['-e', PROGRAM] } },
      { directory: this.directory, alerts: { urls: [] }, clock: this.clock, log },
    );
    if (watched === undefined) throw new Error('no watchdog');
    this.watched = watched;
    onTestFinished(() => {
      watched.ended();
      for (const pid of this.living) process.kill(pid, 'SIGKILL');
    });
  }

  get pids(): readonly number[] {
    const file = join(this.directory, 'pids');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
  }

  get living(): readonly number[] {
    return this.pids.filter(isAlive);
  }

  heard(pid: number): string {
    const file = join(this.directory, `heard-${pid}`);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  advance(ms: number): void {
    this.clock.advanceTo(this.clock.now() + ms);
  }
}

const soon = (check: () => void): Promise<void> => vi.waitFor(check, PATIENCE);

describe('a watchdog', () => {
  test('is replaced by one other if it was killed, and this is logged', async () => {
    const watchedRun = new WatchedRun();
    await soon(() => expect(watchedRun.living).toHaveLength(1));
    process.kill(watchedRun.living[0] ?? 0, 'SIGKILL');
    await soon(() => expect(watchedRun.said).toEqual(['the watchdog of this run has ended (SIGKILL); the run starts another one in 1 s']));
    watchedRun.advance(1_000);
    await soon(() => expect([watchedRun.pids.length, watchedRun.living.length]).toEqual([2, 1]));
    const [, second = 0] = watchedRun.pids;
    watchedRun.advance(10_000);
    await soon(() => expect(watchedRun.heard(second)).toMatch(/^b{2,}$/));
    expect(watchedRun.living).toEqual([second]);
  });

  test('is tried again and again if it cannot start; a message once a minute says that there is none', async () => {
    const watchedRun = new WatchedRun({ program: '/nowhere/to/be/found' });
    for (let second = 0; second < 300; second++) {
      watchedRun.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const unwatched = watchedRun.said.filter((text) => text.includes('no watchdog of this run answers'));
    const tries = watchedRun.said.filter((text) => text.includes('ENOENT'));
    expect(unwatched).toHaveLength(5);
    expect(tries.length).toBeGreaterThan(6);
    expect(tries.length).toBeLessThan(12);
  });

  test('is replaced if it does not answer', async () => {
    const watchedRun = new WatchedRun({ silent: true });
    await soon(() => expect(watchedRun.living).toHaveLength(1));
    watchedRun.advance(30 * 5_000);
    await soon(() => expect(watchedRun.said.join('; ')).toContain('SIGKILL'));
    expect(watchedRun.said[0]).toContain('no watchdog of this run answers');
    watchedRun.advance(60_000);
    await soon(() => expect([watchedRun.pids.length >= 2, watchedRun.living.length]).toEqual([true, 1]));
  });

  test('is notified of a normal end, and not started again', async () => {
    const watchedRun = new WatchedRun();
    await soon(() => expect(watchedRun.living).toHaveLength(1));
    watchedRun.watched.ended();
    await soon(() => expect(watchedRun.living).toEqual([]));
    watchedRun.advance(600_000);
    expect([watchedRun.heard(watchedRun.pids[0] ?? 0).at(-1), watchedRun.pids.length, watchedRun.said]).toEqual(['f', 1, []]);
  });

  test('is started again if the run ends with open orders', async () => {
    const watchedRun = new WatchedRun();
    await soon(() => expect(watchedRun.living).toHaveLength(1));
    process.kill(watchedRun.living[0] ?? 0, 'SIGKILL');
    await soon(() => expect(watchedRun.said).toHaveLength(1));
    watchedRun.watched.handOver();
    await soon(() => expect(watchedRun.pids).toHaveLength(2));
    await soon(() => expect(watchedRun.heard(watchedRun.pids[1] ?? 0)).toBe('bh'));
  });
});
