// The run's side of its watchdog: there is exactly one, another is started where it ended or hangs, and a person is notified while there is none.

import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { isAlive } from '../../../../src/base/files/alive.ts';
import { type RunWatchdog, startWatchdog } from '../../../../src/cli/commands/run/start-watchdog.ts';
import { PATIENCE } from '../../../patience.ts';

/** Takes the place of the program: writes down its number and its input, and answers each beat by default. */
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

class Stage {
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
  test('that was killed is replaced by one other, and that is said', async () => {
    const stage = new Stage();
    await soon(() => expect(stage.living).toHaveLength(1));
    process.kill(stage.living[0] ?? 0, 'SIGKILL');
    await soon(() => expect(stage.said).toEqual(['the watchdog of this run has ended (SIGKILL); the run starts another one in 1 s']));
    stage.advance(1_000);
    await soon(() => expect([stage.pids.length, stage.living.length]).toEqual([2, 1]));
    const [, second = 0] = stage.pids;
    stage.advance(10_000);
    await soon(() => expect(stage.heard(second)).toMatch(/^b{2,}$/));
    expect(stage.living).toEqual([second]);
  });

  test('that cannot be started is tried ever again, and once a minute it is said that there is none', async () => {
    const stage = new Stage({ program: '/nowhere/to/be/found' });
    for (let second = 0; second < 300; second++) {
      stage.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const unwatched = stage.said.filter((text) => text.includes('no watchdog of this run answers'));
    const tries = stage.said.filter((text) => text.includes('ENOENT'));
    expect(unwatched).toHaveLength(5);
    expect(tries.length).toBeGreaterThan(6);
    expect(tries.length).toBeLessThan(12);
  });

  test('that does not answer is replaced', async () => {
    const stage = new Stage({ silent: true });
    await soon(() => expect(stage.living).toHaveLength(1));
    stage.advance(30 * 5_000);
    await soon(() => expect(stage.said.join('; ')).toContain('SIGKILL'));
    expect(stage.said[0]).toContain('no watchdog of this run answers');
    stage.advance(60_000);
    await soon(() => expect([stage.pids.length >= 2, stage.living.length]).toEqual([true, 1]));
  });

  test('is notified of a normal end, and not started again', async () => {
    const stage = new Stage();
    await soon(() => expect(stage.living).toHaveLength(1));
    stage.watched.ended();
    await soon(() => expect(stage.living).toEqual([]));
    stage.advance(600_000);
    expect([stage.heard(stage.pids[0] ?? 0).at(-1), stage.pids.length, stage.said]).toEqual(['f', 1, []]);
  });

  test('that is gone when orders are left behind is started for them', async () => {
    const stage = new Stage();
    await soon(() => expect(stage.living).toHaveLength(1));
    process.kill(stage.living[0] ?? 0, 'SIGKILL');
    await soon(() => expect(stage.said).toHaveLength(1));
    stage.watched.handOver();
    await soon(() => expect(stage.pids).toHaveLength(2));
    await soon(() => expect(stage.heard(stage.pids[1] ?? 0)).toBe('bh'));
  });
});
