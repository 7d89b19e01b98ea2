// Hostile jobs in the queue of sweeps: none of their code is run, nothing is written outside of the cache, and the worker goes on.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Job } from 'bullmq';
import { beforeAll, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { openTape } from '../../src/embedded/tape/reader.ts';
import { JobProcess, JobTimes } from '../../src/program/commands/sweep/jobs/job-process.ts';
import { planSweep } from '../../src/program/commands/sweep/plan.ts';
import { QueueWorker, strategyBelow } from '../../src/program/commands/sweep/queue/queue-worker.ts';
import type { Connected, Returned } from '../../src/program/commands/sweep/queue/redis.ts';
import { type JobSpec, jobKeyOf } from '../../src/research/sweep/job-key.ts';
import { type QueuedJob, queuedJobIn } from '../../src/research/sweep/job-shape.ts';
import { TapeCache } from '../../src/research/tapes/cache.ts';
import { tapeSourceOf } from '../../src/research/tapes/sources.ts';
import { PATIENCE_MS } from '../patience.ts';
import { writeStrategy } from '../process/sweep-kit.ts';
import { FakeHost } from '../unit/cli/fake-host.ts';

const TAPE = resolve(import.meta.dirname, '../../backtest-data/btcusdc-1h.tape');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sweep-jobs-')));
const own = join(folder, 'own');
const ran = join(folder, 'ran');
let spec: JobSpec;

beforeAll(async () => {
  for (const name of [own, join(own, 'node_modules'), join(own, '.hidden'), join(folder, 'other')]) mkdirSync(name);
  const evil = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(ran)}, 'ran'); export default 1;\n`;
  for (const file of ['own/evil.mjs', 'own/node_modules/evil.mjs', 'own/.hidden/evil.mjs', 'other/evil.mjs'])
    writeFileSync(join(folder, file), evil);
  symlinkSync(join(folder, 'other/evil.mjs'), join(own, 'link.mjs'));
  symlinkSync(join(folder, 'other'), join(own, 'linked'));
  const strategy = writeStrategy(join(own, 'mine.ts'), { name: 'mine', decide: 'return [];' });
  const tape = await openTape(TAPE);
  const to = Math.ceil(tape.facts.first / 1_000) + 5_000;
  const plan = await planSweep({ strategy, tape: [TAPE], param: ['far=1'], latency: '20', seed: 's', objective: 'sharpe', store: '', to }, [
    tape,
  ]);
  await tape.close();
  const [job] = plan.points.flatMap((point) => point.jobs);
  spec = JSON.parse(JSON.stringify(job?.spec)) as JobSpec;
}, PATIENCE_MS);

const queued = (change: Partial<Record<keyof JobSpec, unknown>> = {}): QueuedJob => {
  const changed = { ...spec, ...change } as JobSpec;
  return { key: jobKeyOf(changed), spec: changed };
};

test('a job of a sweep is accepted', () => {
  expect(queuedJobIn(queued())).toEqual(queued());
});

test.each<[string, () => unknown, string]>([
  ['nothing', () => null, 'the job is refused'],
  ['text', () => 'job', 'the job is refused'],
  ['without a spec', () => ({ key: 'a'.repeat(64) }), 'the job is refused'],
  [
    'nested without end',
    () => ({ ...queued(), spec: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown }),
    'nested deeper than 64',
  ],
  ['with a tape outside of the cache', () => queued({ tapes: ['../../x'] }), 'is not a SHA-256 hash in hex'],
  ['with a tape in capital letters', () => queued({ tapes: ['A'.repeat(64)] }), 'is not a SHA-256 hash in hex'],
  ['with no tape', () => queued({ tapes: [] }), 'the job is refused'],
  ['with a strategy that is no text', () => queued({ strategy: ['x.ts'] }), 'the job is refused'],
  ['with an unknown part', () => ({ ...queued(), command: 'rm' }), 'the job is refused'],
  ['with another key', () => ({ ...queued(), key: 'a'.repeat(64) }), 'its key is not the hash of its content'],
  [
    'with other parameters than its key',
    () => ({ ...queued(), spec: { ...spec, seed: 'other' } }),
    'its key is not the hash of its content',
  ],
])('a job %s is refused', (_, job, reason) => {
  expect(() => queuedJobIn(job())).toThrow(reason);
});

describe('the strategy of a job', () => {
  test('is a built-in one, or below the folder', () => {
    expect(strategyBelow(own, 'grid')).toBe('grid');
    expect(strategyBelow(own, 'mine.ts')).toBe(join(own, 'mine.ts'));
    expect(strategyBelow(own, join(own, 'mine.ts'))).toBe(join(own, 'mine.ts'));
  });

  test.each([
    ['../other/evil.mjs', 'its path contains ".."'],
    ['linked/../../other/evil.mjs', 'its path contains ".."'],
    ['/etc/passwd.js', 'there is no such file'],
    ['OTHER/evil.mjs', 'it is not below'],
    ['./link.mjs', 'it is not below'],
    ['./linked/evil.mjs', 'it is not below'],
    ['./node_modules/evil.mjs', 'it is in a package or a hidden folder'],
    ['./.hidden/evil.mjs', 'it is in a package or a hidden folder'],
    ['.', 'it is not below'],
    ['file:///etc/passwd', 'there is no such file'],
    ['./missing.ts', 'there is no such file'],
  ])('is refused: %s', (named, reason) => {
    expect(() => strategyBelow(own, named.replace('OTHER', join(folder, 'other')))).toThrow(reason);
  });
});

test(
  'code that differs from that of the job is not run, also not to refuse it',
  async () => {
    const jobs = new JobProcess({ clock: new VirtualClock(0), times: new JobTimes() });
    try {
      const strategy = join(own, 'evil.mjs');
      expect(await jobs.run({ ...queued({ strategy }), files: [TAPE] })).toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('differs'),
      });
      expect(existsSync(ran)).toBe(false);
    } finally {
      jobs.kill();
    }
  },
  PATIENCE_MS,
);

test('a cache refuses a tape whose name is not a hash, and writes nothing', async () => {
  const cache = new TapeCache({
    source: { fetch: () => Promise.reject(new Error('fetched')) },
    place: 'http://tapes.invalid',
    folder: join(folder, 'cache'),
    mostBytes: 1e9,
    clock: new VirtualClock(0),
    pid: 1,
  });
  await expect(cache.use(['../../x'], () => Promise.resolve())).rejects.toThrow('is not the hash of a tape');
  expect(existsSync(join(folder, 'cache'))).toBe(false);
});

type Run = (job: Job<QueuedJob, Returned>, token: string) => Promise<Returned>;
const notStarted: Run = () => Promise.reject(new Error('not started'));

test(
  'a worker reports a hostile job as failed, puts back one that differs, and runs the next',
  async () => {
    let take = notStarted;
    class Worker {
      constructor(_: string, run: Run) {
        take = run;
      }
      on(): void {}
      run = (): Promise<void> => Promise.resolve();
      close = (): Promise<void> => Promise.resolve();
    }
    class UnrecoverableError extends Error {}
    class DelayedError extends Error {}
    const bull = { Worker, UnrecoverableError, DelayedError } as unknown as Connected['bull'];
    const host = new FakeHost();
    const place = resolve(TAPE, '..');
    const cache = new TapeCache({
      source: await tapeSourceOf(place, {}),
      place,
      folder: join(folder, 'cache'),
      mostBytes: 1e9,
      clock: new VirtualClock(0),
      pid: 1,
    });
    const flags = { queue: 'redis://127.0.0.1:1', tapes: place, strategies: own, workers: 1, cache: '', cacheSize: 1e9, lease: 60_000 };
    const worker = new QueueWorker({ flags, host, cache, connected: { redis: undefined as never, bull } });
    const moved: number[] = [];
    const jobOf = (data: unknown): Job<QueuedJob, Returned> => {
      const job = {
        data,
        updateData: async (next: unknown) => void (job.data = next),
        moveToDelayed: async (at: number) => void moved.push(at),
      };
      return job as unknown as Job<QueuedJob, Returned>;
    };
    for (const hostile of [null, queued({ tapes: ['../../x'] }), queued({ strategy: join(folder, 'other/evil.mjs') })])
      await expect(take(jobOf(hostile), 't')).rejects.toThrow(UnrecoverableError);
    const differing = jobOf(queued({ strategy: './evil.mjs' }));
    await expect(take(differing, 't')).rejects.toThrow(DelayedError);
    expect([differing.data.refused, moved.length]).toEqual([1, 1]);
    await expect(take(jobOf({ ...queued({ strategy: './evil.mjs' }), refused: 13 }), 't')).rejects.toThrow(UnrecoverableError);
    expect(await take(jobOf(queued()), 't')).toMatchObject({ answer: { kind: 'done' } });
    expect(existsSync(ran)).toBe(false);
    void worker;
  },
  PATIENCE_MS,
);
