// What a backtest prints and reports: its assumptions, its progress, and its result if the report cannot be written.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../../src/research/report/report.ts';
import { runCommand } from '../run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'backtest-report-'));
const tape = join(folder, 'candles.tape');
const page = join(folder, 'made', 'here', 'r.html');

const run = (...words: readonly string[]) => runCommand(words);

const backtest = (...more: readonly string[]) => run('backtest', '--strategy', 'grid', '--tape', tape, '--report', page, ...more);
const reported = (name = 'r'): Report => JSON.parse(readFileSync(join(folder, 'made', 'here', `${name}.json`), 'utf8')) as Report;
const kinds = ({ lines: out }: { lines: readonly string[] }) => out.map((line) => (JSON.parse(line) as { kind: string }).kind);

// Forty candles of five minutes, up and down by half a percent.
beforeAll(async () => {
  const file = join(folder, 'candles.csv');
  const rows = Array.from({ length: 40 }, (_, at) => {
    const [open, close] = at % 2 === 0 ? [60_000, 60_100] : [60_100, 60_000];
    return [1_741_946_400_000 + at * 300_000, open, 60_200, 59_900, close, 24.16464].join(',');
  });
  writeFileSync(file, `time_ms,open,high,low,close,volume\n${rows.join('\n')}\n`);
  expect((await run('import', file, '--from', 'candles', '--market', 'BTC', '--out', tape)).code).toBe(0);
});

test('on candles the report has the polls and limits that were used, and the assumptions inside the candles', async () => {
  const { code, lines: out } = await backtest();
  const { assumptions, limits } = reported();
  const result = {
    polling: 'none: data is read at the beginning and the end of each candle',
    candles:
      'pessimistic: the path that crosses the fewest price levels in both directions, and stops before take profits; half spread 1 bp',
  };
  expect(code).toBe(0);
  expect(assumptions).toMatchObject(result);
  expect(limits['data-age']).toMatchObject({ bookMs: '3000, scaled by the candle to 3600000 (1 h)' });
  for (const [name, text] of Object.entries(result)) {
    expect(out).toContain(`  ${name.padEnd(10)}${text}`);
    expect(readFileSync(page, 'utf8')).toContain(text);
  }
});

test('on candles the spread of every fill and the move after it are reported, because the price stands until the end of the next candle', async () => {
  await backtest();
  const { all } = reported().quality;
  expect(all.fills).toBeGreaterThan(5);
  expect(all.spread.counted).toBe(all.fills);
  expect(all.markouts[0]!.counted).toBe(all.fills);
});

test('a band reports the assumptions of its three runs, on the terminal and on the page', async () => {
  const { lines: out } = await backtest('--band', '--latency', '20~200');
  const cells = (name: string) =>
    out
      .find((line) => line.startsWith(`  ${name} `))
      ?.trim()
      .split(/\s{2,}/);
  expect(cells('latency')).toEqual(['latency', '40~400 ms', '20~200 ms', '10~100 ms']);
  expect(cells('queue')).toEqual(['queue', 'conservative', 'probabilistic:3', 'probabilistic:1']);
  expect(cells('polls')).toBeUndefined();
  expect(cells('candles')).toEqual(['candles', 'pessimistic, 2 bp', 'pessimistic, 1 bp', 'nearest, 0.5 bp']);
  const html = readFileSync(page, 'utf8');
  for (const name of ['r', 'r.pessimistic', 'r.optimistic']) {
    const { latency = '', candles = '', polling = '' } = reported(name).assumptions;
    for (const text of [latency, candles, polling]) expect(html).toContain(text);
  }
});

test('the middle run of a band uses the requested queue model', async () => {
  await backtest('--band', '--queue', 'conservative');
  expect(reported().assumptions['queue']).toMatch(/^conservative/);
});

test('JSON has lines of progress between the events', async () => {
  const result = await backtest('--json');
  const statuses = result.lines.map((line) => JSON.parse(line) as { kind: string; at: string }).filter(({ kind }) => kind === 'status');
  expect(statuses.slice(0, 2).map(({ at }) => at)).toEqual(['2025-03-14T10:20:00.000Z', '2025-03-14T10:40:00.000Z']);
  expect(statuses.at(-1)).toMatchObject({ equity: expect.any(String) as string, positions: expect.any(Object) as object });
  expect(kinds(result).slice(-2)).toEqual(['report', 'summary']);
});

test('more than one look at a candle is refused, with what replaces it', async () => {
  const { code, err } = await backtest('--looks', '12');
  expect(code).toBe(2);
  expect(err).toContain('--looks 12 is not possible');
  expect(err).toContain('shorter candles');
  expect((await backtest('--looks', '1')).code).toBe(0);
});

test.each([
  ['in a folder in which none can be made', '/proc/none/r.html'],
  ['that is a folder', folder],
])('a report %s is refused before the backtest starts', async (_, file) => {
  if (file === folder) mkdirSync(`${folder}.html`);
  const { code, lines: out, err } = await run('backtest', '--strategy', 'grid', '--tape', tape, '--report', file, '--json');
  expect([code, out]).toEqual([2, []]);
  expect(err).toContain('cannot be written');
});

test('a page that fails to be written leaves no file', async () => {
  const { code } = await backtest('--queue', 'exact', '--report', join(folder, 'never.html'));
  expect([code, existsSync(join(folder, 'never.html'))]).toEqual([2, false]);
});

test.each([[[]], [['--band']]])('prints the result even if the report cannot be written: %j', async (more) => {
  mkdirSync(join(folder, 'blocked.fills.csv'), { recursive: true });
  const file = join(folder, 'blocked.html');
  const result = await run('backtest', '--strategy', 'grid', '--tape', tape, '--report', file, '--json', ...more);
  expect([result.code, kinds(result).at(-1)]).toEqual([2, 'summary']);
  expect(kinds(result)).not.toContain('report');
  expect(result.err).toContain('blocked.html cannot be written');
  const { code, lines: out } = await run('backtest', '--strategy', 'grid', '--tape', tape, '--report', file, ...more);
  expect([code, out.some((line) => line.startsWith('  profit ')), out.some((line) => line.startsWith('  report '))]).toEqual([
    2,
    true,
    false,
  ]);
});

/** The lines that say how long was played, and why nothing was decided. */
const played = async (tapeFile: string, history: string) => {
  const file = join(folder, `waits-${tapeFile === tape ? 'long' : 'short'}.js`);
  writeFileSync(file, `export default { name: 'waits', defaults: { market: 'BTC' }, history: ${history}, create: () => () => [] };\n`);
  const { lines: out } = await run('backtest', '--strategy', file, '--tape', tapeFile, '--report', page);
  return out.filter((line) => /^note: the strategy was never called|^ {2}played/.test(line)).map((line) => line.replace(/ in .*/, ''));
};

describe('of a strategy that is never called it says why', () => {
  test('where its history is longer than the tape', async () => {
    const words = 'its history of 50 candles of 5m is longer than the tape (BTC has 40 of 50 candles of 5m).';
    expect(await played(tape, "{ candles: { '5m': 50 } }")).toEqual([`note: the strategy was never called: ${words}`, '  played    3.3 h']);
  });

  test('where its history is as long as the tape', async () => {
    const minute = join(folder, 'minute.tape');
    await run('record', '--markets', 'BTCUSDC', '--for', '1m', '--out', minute);
    const words = 'its history of 1 candle of 1m was complete only when the tape ended.';
    expect((await played(minute, "{ candles: { '1m': 1 } }"))[0]).toBe(`note: the strategy was never called: ${words}`);
  });
});
