// Sweeps on many machines: workers of a queue in Redis, which are killed together with it; workers by index; and what a worker refuses.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';
import { type Child, startChild } from './children.ts';
import { hasRedis, RedisServer } from './redis.ts';
import { bytesOf, finished, recordTape, temporaryFolder, writeStrategy } from './sweep-kit.ts';

const folder = temporaryFolder();
const tapes = join(folder, 'tapes');
const tape = join(tapes, 'market.tape');
const storeOf = (name: string): string => join(folder, `${name}.sqlite`);
const GRID = ['--strategy', 'lean-maker', '--tape', tape, '--param', 'halfSpreadBps=2:6:2', '--param', 'leanBps=1,2'];
const POINTS = 6;

const children: Child[] = [];
function started(args: readonly string[]): Child {
  const child = startChild(args);
  children.push(child);
  return child;
}
/** Settles when the child has printed this on standard error. */
const said = (child: Child, words: RegExp): Promise<void> => expect.poll(child.stderrText, { timeout: PATIENCE_MS }).toMatch(words);
const sweep = (store: string, more: readonly string[] = [], grid = GRID): Child =>
  started(['sweep', ...grid, '--store', storeOf(store), '--json', ...more]);

let alone = '';
beforeAll(async () => {
  mkdirSync(tapes);
  await recordTape(tape);
  expect((await finished(sweep('alone', ['--workers', '1']))).code).toBe(0);
  alone = bytesOf(storeOf('alone'));
}, PATIENCE_MS);
afterEach(async () => {
  for (const child of children.splice(0)) await child.signal('SIGKILL');
});

const installed = hasRedis();
if (!installed)
  process.stderr.write('redis-server is not installed: the tests of sweeps over Redis are skipped (apt-get install redis-server)\n');

describe.skipIf(!installed)('a sweep over a queue', { timeout: PATIENCE_MS }, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis.kill());
  /** The processes of one machine. `place`: the folder of its tapes. */
  const worker = (place = tapes, more: readonly string[] = []): Child =>
    started([
      'sweep',
      'worker',
      '--queue',
      redis.url,
      '--tapes',
      place,
      '--strategies',
      folder,
      '--workers',
      '1',
      '--lease',
      '2s',
      '--json',
      ...more,
    ]);

  test('gives the same bytes as a sweep on this machine, although workers and Redis are killed', async () => {
    const coordinator = sweep('killed', ['--queue', redis.url]);
    const first = worker();
    await coordinator.printed('row');
    await first.signal('SIGKILL'); // in the middle of a job
    const others = [worker(), worker()];
    await coordinator.line(({ kind }) => kind === 'row' && coordinator.lines.length >= 2);
    await redis.kill();
    await redis.start();
    const { code, rows, summary } = await finished(coordinator);
    expect([code, coordinator.stderrText()]).toEqual([0, expect.any(String)]);
    expect(rows.length).toBe(POINTS);
    expect(summary).toMatchObject({ rows: POINTS, failed: 0 });
    expect(bytesOf(storeOf('killed'))).toBe(alone);
    for (const other of others) expect(await other.signal('SIGINT'), other.stderrText()).toBe(0);
  });

  test('continues after the process that started it was killed', async () => {
    const killed = sweep('resumed', ['--queue', redis.url]);
    worker();
    await killed.printed('row');
    await killed.signal('SIGKILL');
    const again = await finished(sweep('resumed', ['--queue', redis.url]));
    expect(again.code).toBe(0);
    expect(again.summary?.['reused']).toBeGreaterThan(0);
    expect(bytesOf(storeOf('resumed'))).toBe(alone);
  });

  test('is not run by a worker that has another strategy, and is completed when it has the same', async () => {
    const decide = 'return [quote({ bids: [{ price: mid * (1 - far / 1e4), size: 0.01 }], asks: [] })];';
    const file = writeStrategy(join(folder, 'mine.ts'), { name: 'mine', decide });
    const coordinator = sweep('mine', ['--queue', redis.url], ['--strategy', file, '--tape', tape, '--param', 'far=1']);
    await coordinator.printed('queued');
    writeStrategy(file, { name: 'mine', decide: `/* changed */ ${decide}` });
    const other = worker();
    await said(other, /the strategy .*mine\.ts differs from that of the sweep/);
    writeStrategy(file, { name: 'mine', decide });
    expect((await finished(coordinator)).code).toBe(0);
  });

  test('is not run by a worker without the tape, which goes on', async () => {
    const coordinator = sweep('without', ['--queue', redis.url]);
    await coordinator.printed('queued');
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const other = worker(empty);
    await said(other, /has no tape with the hash [0-9a-f]{64}/);
    expect(await other.signal('SIGINT')).toBe(0);
    expect(await coordinator.signal('SIGINT')).toBe(1);
  });

  test('of hostile jobs: each has failed with a reason, and the worker goes on', async () => {
    const { Queue } = await import('bullmq');
    const { Redis } = await import('ioredis');
    const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
    const queue = new Queue('tickwright-sweep', { connection });
    try {
      const evil = join(folder, 'evil.mjs');
      writeFileSync(evil, `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(`${evil}.ran`)}, '');\n`);
      const jobs = [null, { key: 'a'.repeat(64), spec: { strategy: evil, tapes: ['../../x'] } }, { key: 1 }];
      for (const [at, data] of jobs.entries()) await queue.add('point', data, { jobId: `hostile-${at}` });
      const other = worker();
      await said(other, /a job is not run/);
      const good = await finished(sweep('after', ['--queue', redis.url]));
      expect([good.code, existsSync(`${evil}.ran`)]).toEqual([0, false]);
      for (const [at] of jobs.entries()) expect((await queue.getJob(`hostile-${at}`))?.failedReason).toContain('the job is refused');
    } finally {
      await queue.close();
      connection.disconnect();
    }
  });

  test('refuses a Redis that could forget or drop its jobs', async () => {
    for (const [setting, words] of [
      [['--appendonly', 'no'], 'forgets its jobs when it is restarted (appendonly no)'],
      [['--appendonly', 'yes', '--maxmemory-policy', 'allkeys-lru'], 'drops jobs when its memory is full (maxmemory-policy allkeys-lru)'],
    ] as const) {
      const wrong = await RedisServer.start(setting);
      try {
        const child = sweep('refused', ['--queue', wrong.url]);
        expect([await child.ended, child.stderrText()]).toEqual([2, expect.stringContaining(words)]);
      } finally {
        await wrong.kill();
      }
    }
  });
});

describe('a sweep by index', { timeout: PATIENCE_MS }, () => {
  test('gives the same bytes when the stores of its workers are merged', async () => {
    for (const index of ['0', '1']) {
      const part = started(['sweep', 'worker', ...GRID, '--index', index, '--of', '2', '--store', storeOf(`part ${index}`), '--json']);
      expect((await finished(part)).rows.length, part.stderrText()).toBe(POINTS / 2);
    }
    const whole = await finished(sweep('merged', ['--merge', storeOf('part 0'), storeOf('part 1')]));
    expect(whole.summary).toMatchObject({ rows: POINTS, reused: POINTS });
    expect(bytesOf(storeOf('merged'))).toBe(alone);
  });

  test('refuses an invalid index, with the exit code for wrong input', async () => {
    const child = started(['sweep', 'worker', ...GRID, '--index', '2', '--of', '2']);
    expect([await child.ended, child.stderrText()]).toEqual([2, expect.stringContaining('--index 2 is not below --of 2')]);
    const missing = started(['sweep', 'worker', '--index', '0']);
    expect([await missing.ended, missing.stderrText()]).toEqual([2, expect.stringContaining("required option '--of <m>' not specified")]);
  });
});
