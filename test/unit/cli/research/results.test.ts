// Results: names of reports, `bot export` of runs and backtests, and `bot compare`.
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { reportName } from '../../../../src/program/commands/backtest/report.ts';
import type { Report } from '../../../../src/research/report/report.ts';
import { readTables } from '../../../../src/research/report/tables/files.ts';
import { runCommand } from '../run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'results-'));
const tape = join(folder, 'candles.tape');
const at = (name: string): string => join(folder, name);

const run = (...words: readonly string[]) => runCommand(words);

const backtest = (report: string, ...more: readonly string[]) =>
  run('backtest', '--strategy', 'grid', '--tape', tape, '--report', report, ...more);
const saved = (name: string): Report => JSON.parse(readFileSync(at(`${name}.json`), 'utf8')) as Report;

beforeAll(async () => {
  const file = at('candles.csv');
  const rows = Array.from({ length: 60 }, (_, index) => {
    const [open, close] = index % 2 === 0 ? [60_000, 60_100] : [60_100, 60_000];
    return [1_741_946_400_000 + index * 300_000, open, 60_200, 59_900, close, 24.16464].join(',');
  });
  writeFileSync(file, `time_ms,open,high,low,close,volume\n${rows.join('\n')}\n`);
  expect((await run('import', file, '--from', 'candles', '--market', 'BTC', '--out', tape)).code).toBe(0);
  expect((await backtest(at('a.html'), '--set', 'params.levels=3')).code).toBe(0);
  expect((await backtest(at('b.html'), '--set', 'params.levels=5')).code).toBe(0);
});

describe('the files of a report', () => {
  test('a report at a path that the user named replaces a report', async () => {
    expect((await backtest(at('c.html'))).code).toBe(0);
    const { code, lines: out } = await backtest(at('c.html'), '--json');
    expect([code, JSON.parse(out.at(-2) ?? '')]).toEqual([0, { kind: 'report', file: at('c.html') }]);
  });

  test.each(['mine.html', 'mine.json'])('no other file is replaced: %s', async (name) => {
    writeFileSync(at(name), '{"mine":true}');
    const { code, err } = await backtest(at('mine.html'));
    expect([code, err]).toEqual([2, expect.stringContaining(`${at(name)} exists and is not a report of this program`)]);
    expect(readFileSync(at(name), 'utf8')).toBe('{"mine":true}');
    writeFileSync(at(name), '');
  });

  test('the name of a report of many markets fits in a file system', () => {
    const named = { strategy: 'grid', hash: '0123abcd', seed: 'backtest', band: false };
    expect(reportName({ ...named, markets: ['BTCUSDC', 'ETHUSDC'] })).toBe('grid-BTCUSDC-ETHUSDC-0123abcd-backtest');
    const markets = Array.from({ length: 50 }, (_, index) => `M${index}USDC`);
    expect(reportName({ ...named, markets })).toBe('grid-M0USDC-M1USDC-M2USDC-and-47-more-0123abcd-backtest');
    const long = 'x'.repeat(300);
    expect(
      reportName({ strategy: long, markets: [long, long, long, long], hash: '0123abcd', seed: long, band: true }).length,
    ).toBeLessThanOrEqual(200);
  });

  test('a report without a name gets a new name', async () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      const names: string[] = [];
      for (let time = 0; time < 3; time++) {
        const { lines: out } = await run('backtest', '--strategy', 'grid', '--tape', tape, '--json');
        names.push((JSON.parse(out.at(-2) ?? '') as { file: string }).file);
      }
      const first = names[0]?.replace('.html', '') ?? '';
      expect(first).toMatch(/^\.bot\/backtests\/grid-BTC-/);
      expect(names).toEqual([`${first}.html`, `${first}-2.html`, `${first}-3.html`]);
      for (const name of names) expect(existsSync(name.replace('.html', '.json'))).toBe(true);
    } finally {
      process.chdir(before);
    }
  });
});

describe('export of a backtest', () => {
  test('as Parquet: the tables agree with the report, and read back unchanged', async () => {
    const { code, lines: out } = await run('export', at('a.html'), '--out', at('parquet'));
    expect(code).toBe(0);
    expect(readdirSync(at('parquet')).sort()).toEqual(
      ['equity', 'fills', 'findings', 'funding', 'orders', 'trips', 'turns']
        .map((name) => `${name}.parquet`)
        .concat('meta.json')
        .sort(),
    );
    const { tables, meta } = (await readTables(at('parquet')))!;
    const report = saved('a');
    const table = (name: string) => tables.find((one) => one.name === name)!;
    const column = (name: string, of: string) => Array.from(table(of).columns.find((one) => one.name === name)!.values, Number);
    expect(table('fills').count).toBe(report.figures.fills);
    expect(table('fills').count).toBeGreaterThan(5);
    expect(column('notional', 'fills').reduce((sum, value) => sum + value, 0)).toBeCloseTo(report.figures.volume, 6);
    expect(column('equity', 'equity').at(-1)).toBe(report.figures.equity?.end);
    expect(table('trips').count).toBe(report.figures.trips.all.count);
    expect(column('time', 'equity')[0]).toBeGreaterThanOrEqual(report.from);
    const placed = Array.from(table('orders').columns.find(({ name }) => name === 'status')!.values).filter(
      (status) => status === 'placed',
    );
    expect(placed).toHaveLength(report.summary.orders.placed);
    expect(JSON.parse(meta)).toMatchObject({
      fingerprint: report.summary.fingerprint,
      params: { levels: 3 },
      markets: [{ symbol: 'BTC' }],
    });
    expect(out[0]).toBe(`equity: ${table('equity').count} rows`);
  });

  test('as CSV, with times as text', async () => {
    expect((await run('export', at('a.json'), '--out', at('csv'), '--csv')).code).toBe(0);
    const [head, first] = readFileSync(at('csv/equity.csv'), 'utf8').split('\n');
    expect(head).toBe('time,equity,drawdown,held,fees,funding,omf,imf,cmf,mmf,pon,pn,position_BTC,mid_BTC');
    expect(first).toMatch(/^2025-03-14T10:00:00\.\d{3}Z,100000,0,/);
  });

  test('refuses a folder with other files, and a report without tables', async () => {
    writeFileSync(at('readme.txt'), 'mine');
    expect((await run('export', at('a.html'), '--out', folder)).err).toContain('is not a folder of tables');
    writeFileSync(at('old.json'), '{"kind":"report"}');
    expect((await run('export', at('old.html'), '--out', at('x'))).code).toBe(2);
    expect((await run('export', at('old.json'), '--out', at('x'))).err).toContain('old.data does not exist');
  });
});

describe('compare', () => {
  test('shows figures in columns, and the differences', async () => {
    const { code, lines: out } = await run('compare', at('a.html'), at('b.json'), '--report', at('cmp.html'));
    expect(code).toBe(0);
    const cells = (name: string) =>
      out
        .find((line) => line.trim().startsWith(name))
        ?.trim()
        .split(/\s{2,}/);
    expect(cells('a ')).toEqual(['a', 'b']);
    expect(cells('fills')).toEqual(['fills', ...['a', 'b'].map((name) => String(saved(name).figures.fills))]);
    expect(cells('params.levels')).toEqual(['params.levels', '3', '5']);
    expect(out.filter((line) => line.includes('limits.'))).toEqual([]);
    const page = readFileSync(at('cmp.html'), 'utf8');
    expect(page).toContain('params.levels');
    expect(page).toContain('"label":"b"');
  });

  test('as JSON is one object, with amounts as text', async () => {
    const { lines: out } = await run('compare', at('a.html'), at('a.html'), '--json');
    expect(out).toHaveLength(1);
    const { runs, differences, notes } = JSON.parse(out[0] ?? '') as { runs: { name: string; pnl: string }[]; differences: []; notes: [] };
    expect(runs.map(({ name }) => name)).toEqual(['a', 'a-2']);
    expect(runs[0]?.pnl).toBe(saved('a').summary.pnl);
    expect(differences).toEqual([]);
    expect(notes).toContain('All their actions are equal.');
  });

  test('refuses a single run, a report of another version, and a page that is not its own', async () => {
    expect((await run('compare', at('a.html'))).err).toContain('needs two runs or more');
    writeFileSync(at('older.json'), JSON.stringify({ ...saved('a'), version: undefined }));
    expect((await run('compare', at('a.html'), at('older.json'))).err).toContain('another version of this program');
    writeFileSync(at('taken.html'), 'mine');
    expect((await run('compare', at('a.html'), at('b.html'), '--report', at('taken.html'))).err).toContain(
      'is not a report of this program',
    );
  });

  test.each([['parity'], ['sweep', '--strategy', 'grid', '--tape', tape, '--param', 'levels=3,5']])(
    '%s begins nothing if its page would replace another file',
    async (...words) => {
      writeFileSync(at('taken.html'), 'mine');
      const { code, err } = await run(...words, '--report', at('taken.html'));
      expect([code, err]).toEqual([2, expect.stringContaining('taken.html exists and is not a report of this program')]);
      expect(readFileSync(at('taken.html'), 'utf8')).toBe('mine');
    },
  );
});
