// Sweeps as processes: kills, the command that repeats a row, and strategies that are not deterministic or that fail.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';
import { type Child, type Printed, startChild } from './children.ts';
import { bytesOf, candleTape, finished, recordTape, sliceTape, temporaryFolder, writeStrategy } from './sweep-kit.ts';

const folder = temporaryFolder();
const tape = join(folder, 'market.tape');
const storeOf = (name: string): string => join(folder, `${name}.sqlite`);

const GRID = ['--param', 'halfSpreadBps=2:4:2', '--param', 'leanBps=1,2'];

function sweep(
  store: string,
  { strategy = 'lean-maker', grid = GRID, more = [] }: { strategy?: string; grid?: readonly string[]; more?: readonly string[] } = {},
): Child {
  return startChild([
    'sweep',
    '--strategy',
    strategy,
    '--tape',
    tape,
    ...grid,
    '--store',
    storeOf(store),
    '--json',
    '--workers',
    '1',
    ...more,
  ]);
}

/** The rows of one point, one per day. */
async function daysOf(store: string, tapes: readonly string[]): Promise<readonly Printed[]> {
  const point = ['--set', 'params.resolution=15m', '--param', 'fast=2', '--param', 'slow=8', '--days'];
  const named = tapes.flatMap((file) => ['--tape', file]);
  const { code, rows } = await finished(
    startChild(['sweep', '--strategy', 'crossover', ...named, ...point, '--store', storeOf(store), '--json']),
  );
  expect([code, rows.length]).toEqual([0, 4]);
  return rows;
}

const figuresOf = (rows: readonly Printed[]): readonly unknown[] => rows.map(({ fingerprint, pnl, fills }) => [fingerprint, pnl, fills]);

/** The contents of a store, as text. */
function contentsOf(store: string): string {
  const database = new DatabaseSync(storeOf(store));
  const rows = database.prepare('select *, hex(returns) as returns from rows order by key').all();
  database.close();
  return JSON.stringify(rows);
}

const strategyFile = (name: string, decide: string): string => writeStrategy(join(folder, `${name}.ts`), { name, decide });

beforeAll(() => recordTape(tape), PATIENCE_MS);

describe('a sweep', { timeout: PATIENCE_MS }, () => {
  test('continues after a kill, with the same store', async () => {
    const whole = await finished(sweep('whole'));
    expect(whole.code).toBe(0);
    const killed = sweep('killed', { more: ['--workers', '1'] });
    await killed.printed('row');
    await killed.signal('SIGKILL');
    const again = await finished(sweep('killed'));
    expect(again.code).toBe(0);
    expect(again.summary?.['reused']).toBeGreaterThan(0);
    expect(bytesOf(storeOf('killed'))).toBe(bytesOf(storeOf('whole')));
  });

  test('that is interrupted finishes the running jobs, and prints how to continue', async () => {
    const child = sweep('interrupted', { more: ['--workers', '1'] });
    await child.printed('row');
    expect(await child.signal('SIGINT'), child.stderrText()).toBe(1);
    expect(child.stderrText()).toMatch(/stopped: [1-3] of 4 points are in .*the same command runs the rest/);
    expect((await finished(sweep('interrupted'))).code).toBe(0);
  });

  test('that is interrupted twice ends at once, although a point never ends', async () => {
    const endless = strategyFile('endless', 'if (far === 2) for (;;); return [];');
    const child = sweep('endless', { strategy: endless, grid: ['--param', 'far=1,2'], more: ['--workers', '1'] });
    await child.printed('row');
    const over = child.ended.then((code) => ({ code }));
    let end: { code: number | null } | undefined;
    for (; end === undefined; end = await Promise.race([over, pause(500, undefined)])) void child.signal('SIGINT'); // a second signal that comes at once counts as an echo of the first
    expect([end.code, child.stderrText()]).toEqual([1, expect.stringContaining('Ctrl-C again ends them at once')]);
    expect((await finished(sweep('endless', { strategy: endless, grid: ['--param', 'far=1'] }))).summary).toMatchObject({ reused: 1 });
  });

  test('prints a command for each row, and the backtest of that command has the same fingerprint', async () => {
    const options = ['--deposit', '5000', '--fees=-0.5,2', '--latency', '10,15', '--seed', "it's"];
    const { code, rows } = await finished(sweep('command', { grid: ['--param', 'halfSpreadBps=3'], more: options }));
    expect(code).toBe(0);
    const [row] = rows;
    const words = [...String(row?.['command']).matchAll(/'((?:[^']|'\\'')*)'|[^\s']+/g)].map(([word, quoted]) => quoted ?? word);
    expect(words.slice(0, 2)).toEqual(['tickwright', 'backtest']);
    expect(row?.['command']).toContain(`--seed 'it'\\''s'`);
    const repeated = startChild([
      ...words.slice(1).map((word) => word.replaceAll(`'\\''`, "'")),
      '--json',
      '--report',
      join(folder, 'page.html'),
    ]);
    expect((await repeated.printed('summary'))?.['fingerprint'], repeated.stderrText()).toBe(row?.['fingerprint']);
  });

  test('of a strategy that is not deterministic stops, and names the two results', async () => {
    const random = strategyFile(
      'random',
      'return [quote({ bids: [{ price: mid * (1 - far * Math.random() / 100), size: 0.01 }], asks: [] })];',
    );
    const child = sweep('random', { strategy: random, grid: ['--param', 'far=1,2'] });
    expect(await child.ended).toBe(1);
    expect(child.stderrText()).toMatch(/two runs of one backtest gave different results.*far=1 gave [0-9a-f]{64} and [0-9a-f]{64}/);
    expect(contentsOf('random')).not.toContain('"far":1');
  });

  test('continues after a point that throws and one whose process dies, and counts them as trials', async () => {
    const broken = strategyFile(
      'broken',
      `if (far === 2) throw new Error('two is too far'); if (far === 3) process.kill(process.pid, 'SIGKILL');
       return [quote({ bids: [{ price: mid * (1 - far / 1e4), size: 0.01 }], asks: [] })];`,
    );
    const { code, rows, summary } = await finished(sweep('broken', { strategy: broken, grid: ['--param', 'far=1,2,3'] }));
    expect(code).toBe(0);
    expect(rows.map(({ failed }) => failed)).toEqual([undefined, expect.stringContaining('two is too far'), 'its process ended 3 times']);
    expect(summary).toMatchObject({ points: 3, failed: 2, trials: 3 });
    const again = await finished(sweep('broken', { strategy: broken, grid: ['--param', 'far=1,2,3'] }));
    expect(again.rows.map(({ reused }) => reused)).toEqual([true, true, false]); // the machine may have caused the death
  });

  test('checks every point before it runs the first', async () => {
    const child = sweep('invalid', { grid: ['--param', 'halfSpreadBps=0:4:2', '--param', 'leanBps=0,1'] });
    expect(await child.ended).toBe(2);
    expect(child.stderrText()).toContain('4 of 6 points are not valid; nothing was run:');
    for (const point of [
      'halfSpreadBps=0 leanBps=0',
      'halfSpreadBps=0 leanBps=1',
      'halfSpreadBps=2 leanBps=0',
      'halfSpreadBps=4 leanBps=0',
    ])
      expect(child.stderrText()).toContain(`${point}: `);
    const skipping = await finished(
      sweep('invalid', { grid: ['--param', 'halfSpreadBps=0,2', '--param', 'leanBps=1'], more: ['--skip-invalid'] }),
    );
    expect([skipping.code, skipping.summary?.['points'], skipping.summary?.['skipped']]).toEqual([0, 1, 1]);
  });

  test('over days runs a job for each day, with a command that repeats it, and gives one result for each point', async () => {
    const candles = join(folder, 'candles.tape');
    await candleTape(candles, 3);
    const args = [
      'sweep',
      '--strategy',
      'crossover',
      '--tape',
      candles,
      '--set',
      'params.resolution=15m',
      '--param',
      'fast=2,4',
      '--param',
      'slow=8',
    ];
    const more = ['--days', '--walk', '1d/1d', '--purge', '15m', '--store', storeOf('days'), '--json'];
    const { code, rows, summary } = await finished(startChild([...args, ...more]));
    expect([code, rows.length, new Set(rows.map(({ span }) => span)).size]).toEqual([0, 6, 3]);
    expect(rows.every(({ fills }) => Number(fills) > 0)).toBe(true);
    expect(summary).toMatchObject({
      points: 2,
      rows: 6,
      failed: 0,
      last: { from: '2026-01-07T00:00:00.000Z', to: '2026-01-08T00:00:00.000Z', looks: 0 },
    });
    const words = String(rows[1]?.['command']).split(' ');
    expect(words).toContain('--from');
    const repeated = startChild([...words.slice(1), '--json', '--report', join(folder, 'day.html')]);
    expect((await repeated.printed('summary'))?.['fingerprint'], repeated.stderrText()).toBe(rows[1]?.['fingerprint']);
    const third = ['--param', 'fast=2,4,6', ...more.slice(0, -1), '--json'];
    const wider = await finished(startChild([...args.slice(0, 7), '--param', 'slow=8', ...third]));
    expect(wider.summary).toMatchObject({ points: 3, rows: 9, reused: 6, trials: 3, last: { looks: 1 } });
  });

  test('reads of consecutive tapes those that a day needs, with the result of a single tape', async () => {
    const whole = join(folder, 'whole.tape');
    await candleTape(whole, 4);
    const [first, second] = [join(folder, 'first.tape'), join(folder, 'second.tape')];
    await sliceTape(whole, { to: '2026-01-07' }, first);
    await sliceTape(whole, { from: '2026-01-07' }, second);
    const [one, several] = [await daysOf('one-tape', [whole]), await daysOf('several-tapes', [second, first])];
    expect(figuresOf(several)).toEqual(figuresOf(one));
    const readBy = (index: number): readonly string[] =>
      String(several[index]?.['command'])
        .split(' ')
        .filter((word) => word.endsWith('.tape'));
    expect([0, 1, 2, 3].map(readBy)).toEqual([[first], [first], [first, second], [second]]);
  });

  test('is won by a planted look-ahead, which the last window reveals', async () => {
    const candles = join(folder, 'known.tape');
    await candleTape(candles, 5);
    const lines = readFileSync(`${candles}.csv`, 'utf8').trim().split('\n').slice(1);
    const closes = lines.slice(0, 4 * 96).map((line) => line.split(',')); // four of the five days
    const known = Object.fromEntries(closes.map(([at, , , , close]) => [at, Number(close)]));
    const cheat = join(folder, 'cheat.ts');
    writeFileSync(
      cheat,
      `import { defineStrategy } from 'tickwright';
const KNOWN: Record<string, number> = ${JSON.stringify(known)};
export default defineStrategy({ name: 'cheat', defaults: { market: 'BTCUSDC', resolution: '15m', knows: 0 }, every: ({ resolution }) => resolution,
  create({ market, knows }, { rng }) { return (view) => { const { mid, target } = view.market(market); if (mid === undefined) return [];
    const coin = rng.next() < 0.5 ? 1 : -1; // drawn even if it is not needed, so that all points draw the same numbers
    const next = KNOWN[String(Math.floor(view.now / 900_000) * 900_000)];
    const side = knows === 1 && next !== undefined ? Math.sign(next - mid) : knows === 2 ? -coin : coin;
    return [target({ position: 0.01 * side, maxSlippageBps: 10 })]; }; } });
`,
    );
    const args = ['sweep', '--strategy', cheat, '--tape', candles, '--param', 'knows=0,1,2', '--fees', '0,0', '--walk', '1d/1d'];
    const { code, summary } = await finished(startChild([...args, '--store', storeOf('cheat'), '--json']));
    expect(code).toBe(0);
    expect(summary).toMatchObject({ best: { params: { knows: 1 } } });
    expect(summary?.['dsr']).toBeGreaterThan(0.99);
    expect(summary?.['verdict']).toMatch(/^noise: the best of 3 earned .*it did not hold in the last window, which no choice used/);
  });

  test('that zooms in stays within its number of points, and answers with the middle of the best five', async () => {
    const zoom = ['--sample', '10', '--zoom', '--workers', '1'];
    const search = (store: string): Child =>
      sweep(store, { grid: ['--param', 'halfSpreadBps=2:40:1', '--param', 'leanBps=1:9:1'], more: zoom });
    const child = search('zoom');
    const { code, rows, summary } = await finished(child);
    expect(code, child.stderrText()).toBe(0);
    expect(rows.length).toBeGreaterThanOrEqual(10);
    expect(rows.length).toBeLessThanOrEqual(11); // the middle may be one of them
    expect(new Set(rows.map(({ params }) => JSON.stringify(params))).size).toBe(rows.length);
    expect(summary?.['middle']).toMatchObject({ params: { halfSpreadBps: expect.any(Number) }, value: expect.any(Number) });
  });
});
