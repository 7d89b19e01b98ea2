// The process of a job, and a job that takes too long.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import { openTape } from '../../../../src/embedded/tape/reader.ts';
import { JobProcess, JobTimes } from '../../../../src/program/commands/sweep/jobs/job-process.ts';
import { planSweep } from '../../../../src/program/commands/sweep/plan.ts';
import { PATIENCE_MS } from '../../../patience.ts';
import { writeStrategy } from '../../../process/sweep-kit.ts';

test('a job may take ten times the median, and at least five minutes', () => {
  const times = new JobTimes();
  expect([times.median, times.limit]).toEqual([undefined, Infinity]);
  for (const time of [1_000, 2_000, 90_000]) times.add(time);
  expect([times.median, times.limit]).toEqual([2_000, 300_000]);
  for (const time of [50_000, 70_000]) times.add(time);
  expect(times.limit).toBe(500_000);
});

test(
  'a job that takes too long is ended without a result; the next one runs in a new process',
  async () => {
    const file = resolve(import.meta.dirname, '../../../../backtest-data/btcusdc-1h.tape');
    const strategy = writeStrategy(join(mkdtempSync(join(tmpdir(), 'jobs-')), 'endless.ts'), {
      name: 'endless',
      decide: 'if (far === 2) for (;;); return [];',
    });
    const tape = await openTape(file);
    const to = Math.ceil(tape.facts.first / 1_000) + 5_000;
    const plan = await planSweep(
      { strategy, tape: [file], param: ['far=1,2'], latency: '20', seed: 's', objective: 'sharpe', store: '', to },
      [tape],
    );
    await tape.close();
    let now = 0;
    const clock: Clock = { now: () => now, at: (when, run) => systemClock.at(when, run), skipped: () => 0 };
    const times = new JobTimes();
    const jobs = new JobProcess({ clock, times });
    const orders = plan.points.flatMap((point) => point.jobs.map(({ job: { key }, spec }) => ({ key, spec, files: [file] })));
    const [quick, endless] = orders;
    if (quick === undefined || endless === undefined) throw new Error('there are two jobs');
    try {
      expect(await jobs.run(quick)).toMatchObject({ kind: 'done' });
      const late = jobs.run(endless);
      now += 300_001;
      expect(await late).toEqual({ kind: 'lost', reason: 'it took more than 10 times as long as the others' });
      expect(jobs.ran.has(endless.key)).toBe(false);
      expect(await jobs.run(quick)).toMatchObject({ kind: 'done' });
    } finally {
      jobs.kill();
    }
  },
  PATIENCE_MS,
);
