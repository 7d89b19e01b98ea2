// The commands from a recording to a report.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'research-'));
const tape = join(folder, 'minute.tape');

const run = (...words: readonly string[]) => runCommand(words);

const summaryOf = ({ lines: out }: { lines: readonly string[] }) => JSON.parse(out.at(-1) ?? '') as Record<string, unknown>;

/** Plays `grid`, if the words name no other strategy. */
function backtest(...more: readonly string[]) {
  const strategy = more.includes('--strategy') ? [] : ['--strategy', 'grid'];
  return run('backtest', ...strategy, '--tape', tape, '--report', join(folder, 'r.html'), ...more);
}

beforeAll(async () => {
  const { code, lines: out } = await run('record', '--markets', 'BTCUSDC', '--for', '30s', '--seed', 'research', '--out', tape);
  expect([code, out.length]).toEqual([0, 1]);
});

describe('a recording of the embedded exchange', () => {
  test('is the same for the same seed, byte for byte, and different for another seed', async () => {
    const [again, other] = [join(folder, 'again.tape'), join(folder, 'other.tape')];
    await run('record', '--markets', 'BTCUSDC', '--for', '30s', '--seed', 'research', '--out', again);
    await run('record', '--markets', 'BTCUSDC', '--for', '30s', '--seed', 'another', '--out', other);
    expect(readFileSync(again).equals(readFileSync(tape))).toBe(true);
    expect(readFileSync(other).equals(readFileSync(tape))).toBe(false);
  });

  test('replaces such a recording of its market, also an incomplete one, and nothing else', async () => {
    const out = join(folder, 'again.tape');
    const record = (market: string) => run('record', '--markets', market, '--for', '1s', '--seed', 'x', '--out', out);
    copyFileSync(tape, `${out}.new`);
    expect((await record('BTCUSDC')).code).toBe(0);
    expect((await record('BTCUSDC')).code).toBe(0);
    const { code, err } = await record('ETHUSDC');
    expect([code, err]).toEqual([2, expect.stringContaining('again.tape: is a tape of BTCUSDC')]);
    writeFileSync(out, '# Notes of a long day');
    expect((await record('BTCUSDC')).code).toBe(2);
    expect(readFileSync(out, 'utf8')).toBe('# Notes of a long day');
  });

  test('writes a file for each of several markets', async () => {
    const { code, lines: out } = await run(
      'record',
      '--markets',
      'BTCUSDC,ETHUSDC',
      '--for',
      '1s',
      '--seed',
      'x',
      '--out',
      join(folder, 'both.tape'),
    );
    expect([code, out.length]).toEqual([0, 2]);
    expect(['BTCUSDC', 'ETHUSDC'].every((symbol) => existsSync(join(folder, `both.${symbol}.tape`)))).toBe(true);
  });
});

describe('a backtest', () => {
  test('prints a summary for a person, and writes page, figures and fills', async () => {
    const { code, lines: out } = await backtest();
    expect([code, out[0]]).toEqual([0, expect.stringMatching(/^grid on BTCUSDC \(.*minute\.tape, \d+ rows\)$/)]);
    expect(out.at(-1)).toBe(`  report    ${join(folder, 'r.html')}`);
    for (const name of ['r.html', 'r.json', 'r.fills.csv']) expect(existsSync(join(folder, name))).toBe(true);
    expect(readFileSync(join(folder, 'r.html'), 'utf8')).toMatch(/Content-Security-Policy.*default-src/);
  });

  test('on a simulated market equals that on its recording, for a name and for a market file', async () => {
    const file = join(folder, 'mine.yaml');
    writeFileSync(file, 'like: busy\nvolatility: 3\n');
    const known: unknown[] = [];
    for (const market of ['busy', file]) {
      const simulated = (...more: readonly string[]) =>
        run(
          'backtest',
          '--strategy',
          'grid',
          '--market',
          market,
          '--for',
          '30s',
          '--report',
          join(folder, 'm', 'r.html'),
          ...more,
          '--json',
        );
      const [first, again] = [summaryOf(await simulated()), summaryOf(await simulated())];
      const made = join(folder, `recorded-${known.length}.tape`);
      await run('record', '--markets', 'BTCUSDC', '--for', '30s', '--seed', 'backtest', '--market', market, '--out', made);
      const played = await run('backtest', '--strategy', 'grid', '--tape', made, '--report', join(folder, 'm', 's.html'), '--json');
      expect(first).toMatchObject({ kind: 'summary', strategy: 'grid', orders: { unknown: 0, openAtExit: 0 } });
      expect([again, summaryOf(played)]).toEqual([first, first]);
      known.push(first['fingerprint'], summaryOf(await simulated('--seed', 'another'))['fingerprint']);
    }
    expect(new Set(known).size).toBe(4);
    expect(existsSync(join(folder, 'm', 'mine-BTCUSDC-30s-backtest.tape'))).toBe(true);
  });

  test('on a simulated market records every market of the strategy', async () => {
    const pairs = ['backtest', '--strategy', 'pairs', '--market', 'calm', '--for', '10s'];
    const { code, lines: out } = await run(...pairs, '--report', join(folder, 'p', 'r.html'), '--json');
    expect([code, JSON.parse(out.at(-1) ?? '')]).toMatchObject([0, { kind: 'summary', strategy: 'pairs' }]);
    for (const symbol of ['BTCUSDC', 'ETHUSDC']) expect(existsSync(join(folder, 'p', `calm-${symbol}-10s-backtest.tape`))).toBe(true);
  });

  test('twice has one fingerprint, and its last JSON line is the summary', async () => {
    const [first, second] = [summaryOf(await backtest('--json')), summaryOf(await backtest('--json'))];
    expect(first).toMatchObject({ kind: 'summary', strategy: 'grid', exchange: 'embedded', orders: { unknown: 0, openAtExit: 0 } });
    expect(first['fills']).toBeGreaterThan(0);
    expect(second).toEqual(first);
  });

  test('takes parameters, latencies, polls, queues, fees and a deposit', async () => {
    const plain = summaryOf(await backtest('--json'));
    for (const change of [
      ['--set', 'params.levels=2'],
      ['--latency', '150'],
      ['--poll', '1000'],
      ['--deposit', '500'],
    ])
      expect(summaryOf(await backtest('--json', ...change))).not.toEqual(plain);
    expect((await backtest('--queue', 'probabilistic:1')).code).toBe(0);
    expect(summaryOf(await backtest('--json', '--fees', '0,0'))).toMatchObject({ fees: '0.00' });
    expect(Number(summaryOf(await backtest('--json', '--fees', '-0.5,2'))['fees'])).toBeLessThan(0);
  });

  test('in a band is three runs and one report', async () => {
    const { code, lines: out } = await backtest('--band');
    expect(code).toBe(0);
    expect(out[1]?.trim().split(/\s+/)).toEqual(['pessimistic', 'expected', 'optimistic']);
    for (const name of ['r.pessimistic.json', 'r.optimistic.json']) expect(existsSync(join(folder, name))).toBe(true);
    const reported = (await backtest('--band', '--json')).lines.map((line) => JSON.parse(line) as { kind: string });
    expect(reported.filter(({ kind }) => kind === 'band')).toHaveLength(3);
    expect(reported.at(-1)?.kind).toBe('summary');
  });

  test.each([[[]], [['--band']], [['--json']]])('ends with 1, as a run does, if it cannot prove its orders gone: %j', async (more) => {
    const { code, lines: out, err } = await backtest('--set', 'polling.accountMs=200000', 'limits.data-age.accountMs=300000', ...more);
    expect([code, out.length > 0]).toEqual([1, true]);
    expect(err).toContain('not settled: the exchange did not prove every order gone in time');
  });

  test.each([
    ['a market without a tape', ['--set', 'params.market=ETHUSDC'], 'no tape of the market ETHUSDC was given; the tapes are of BTCUSDC'],
    [
      'one tape for a strategy of two markets',
      ['--strategy', 'pairs'],
      'no tape of the market ETHUSDC was given; the tapes are of BTCUSDC',
    ],
    ['an unknown queue model', ['--queue', 'lucky'], '--queue "lucky" is not a queue model'],
    ['a misspelled queue model', ['--queue', 'consrvative'], 'did you mean "conservative"?'],
    ['a power of zero', ['--queue', 'probabilistic:0'], '--queue "probabilistic:0" is not a queue model'],
    ['an invalid latency', ['--latency', 'fast'], '--latency "fast" is not a latency'],
    ['an unknown parameter', ['--set', 'params.levles=4'], 'unknown parameter "levles"'],
    ['a report in an invalid place', ['--report', join(folder, 'minute.tape', 'r.html')], 'cannot be written'],
  ])('refuses %s', async (_, words, message) => {
    const { code, lines: out, err } = await backtest(...words);
    expect([code, out]).toEqual([2, []]);
    expect(err).toContain(message);
    expect(err).not.toContain('    at ');
  });

  test('of a damaged tape names the block', async () => {
    const damaged = join(folder, 'damaged.tape');
    const bytes = readFileSync(tape);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(damaged, bytes);
    const { code, err } = await run('backtest', '--strategy', 'grid', '--tape', damaged, '--report', join(folder, 'r.html'));
    expect(code).toBe(2);
    expect(err).toMatch(/damaged\.tape.*block 1/);
  });

  test('of a strategy that throws ends with 1 and its message', async () => {
    const file = join(folder, 'broken.ts');
    const face = new URL('../../../../src/index.ts', import.meta.url).pathname;
    writeFileSync(
      file,
      `import { defineStrategy } from '${face}';\nexport default defineStrategy({ name: 'broken', defaults: { market: 'BTCUSDC' }, create: () => () => { throw new Error('no idea'); } });\n`,
    );
    const { code, err } = await backtest('--strategy', file);
    expect(code).toBe(1);
    expect(err).toContain('no idea');
  });
});

test('an export is a Parquet file, and importing it gives the same tape', async () => {
  const file = join(folder, 'minute.parquet');
  const { code, lines: out } = await run('export', tape, '--out', file);
  expect([code, out[0]]).toEqual([0, expect.stringContaining(`${file}: `)]);
  expect(readFileSync(file).subarray(0, 4).toString()).toBe('PAR1');
  const back = join(folder, 'back.tape');
  expect((await run('import', file, '--from', 'parquet', '--out', back)).code).toBe(0);
  expect(readFileSync(back).equals(readFileSync(tape))).toBe(true);
  const again = await run('import', file, '--from', 'parquet', '--out', back);
  expect(again.code).toBe(0);
  const over = await run('import', file, '--from', 'parquet', '--out', file);
  expect([over.code, over.err]).toEqual([2, expect.stringContaining('minute.parquet: is not a tape')]);
});
