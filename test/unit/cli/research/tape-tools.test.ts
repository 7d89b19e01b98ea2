// The tape tools info, slice and cat; and a backtest of a part of a tape.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASK_BIT, KIND_BITS, ROW } from '../../../../src/embedded/rows/rows.ts';
import { openTape } from '../../../../src/embedded/tape/reader.ts';
import { runProgram } from '../../../../src/program/program.ts';
import { FakeHost } from '../fake-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'tape-tools-'));
const [recorded, candles] = [join(folder, 'recorded.tape'), join(folder, 'candles.tape')];
const FILE = resolve(import.meta.dirname, '../../../fixtures/candles/seconds.csv');

async function runCommand(...words: readonly string[]) {
  const host = new FakeHost();
  const code = await runProgram(words, host);
  return { code, out: host.stdout.lines, err: host.stderr.text };
}

beforeAll(async () => {
  await runCommand('record', '--markets', 'BTCUSDC', '--for', '20s', '--seed', 'tools', '--out', recorded);
  await runCommand('import', '--from', 'candles', FILE, '--market', 'BTC', '--out', candles);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The book at a time: sizes by side and price, and the newest mark. */
async function bookAt(file: string, time: number) {
  const book = new Map<string, number>();
  let mark = 0;
  const tape = await openTape(file);
  for await (const { count, times, codes, prices, sizes, orders } of tape.blocks()) {
    for (let at = 0; at < count && times[at]! <= time; at += 1) {
      const kind = codes[at]! & KIND_BITS;
      if (kind === ROW.clear) book.clear();
      if (kind === ROW.mark) mark = prices[at]!;
      if (kind === ROW.level || kind === ROW.order) {
        const key = `${kind === ROW.order ? orders?.[at] : ''} ${codes[at]! & ASK_BIT} ${prices[at]}`;
        if (sizes[at] === 0) book.delete(key);
        else book.set(key, sizes[at]!);
      }
    }
  }
  await tape.close();
  return { book, mark };
}

describe('tape info', () => {
  test('is one JSON object, and a page for a person', async () => {
    const { code, out } = await runCommand('tape', 'info', candles, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out[0] ?? '')).toEqual({
      kind: 'tape',
      market: 'BTC',
      markets: { BTC: { kind: 'perp' } },
      rows: 32,
      candles: 8,
      first: '2024-01-01T00:00:00.000Z',
      last: '2024-01-01T08:00:00.000Z',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const text = (await runCommand('tape', 'info', candles)).out.join('\n');
    expect(text).toContain('rows      32: 8 open, 8 high, 8 low, 8 close');
    expect(text).toContain('books     candles of 1 h');
    expect((await runCommand('tape', 'info', FILE)).err).toContain('is not a tape');
  });
});

describe('tape slice', () => {
  test('keeps the candles that open within the span', async () => {
    const out = join(folder, 'part.tape');
    const made = await runCommand(
      'tape',
      'slice',
      candles,
      '--from',
      '2024-01-01T02:00:00Z',
      '--to',
      '2024-01-01T06:00:00+01:00',
      '--out',
      out,
    );
    expect([made.code, made.out[0]]).toEqual([0, expect.stringContaining('8 rows, 2024-01-01T02:00:00.000Z to 2024-01-01T04:00:00.000Z')]);
    const tape = await openTape(out);
    expect(tape.header).toMatchObject({ basePrice: 42_613.6, pollMs: 3_600_000 });
    await tape.close();
  });

  test('begins with the state of the book, and then agrees with the whole tape', async () => {
    const out = join(folder, 'late.tape');
    const whole = await openTape(recorded);
    const { first, last } = whole.facts;
    await whole.close();
    const from = Math.floor((first + last) / 2_000_000) * 1_000_000;
    const made = await runCommand('tape', 'slice', recorded, '--from', new Date(from / 1_000).toISOString(), '--out', out);
    expect(made.code).toBe(0);
    for (const time of [from, from + 3_000_000, last]) {
      const [part, all] = [await bookAt(out, time), await bookAt(recorded, time)];
      expect(part.book.size).toBeGreaterThan(10);
      expect(part.book).toEqual(all.book);
      expect(part.mark).toBe(all.mark);
    }
    const played = await runCommand('backtest', '--strategy', 'grid', '--tape', out, '--report', join(folder, 'r.html'), '--json');
    expect(JSON.parse(played.out.at(-1) ?? '')).toMatchObject({ kind: 'summary' });
  });

  test('of a time without rows is refused, and so is an invalid time', async () => {
    const out = join(folder, 'none.tape');
    const { code, err } = await runCommand('tape', 'slice', candles, '--from', '2025-01-01', '--out', out);
    expect([code, err]).toEqual([2, expect.stringContaining('it holds 2024-01-01T00:00:00.000Z to 2024-01-01T08:00:00.000Z')]);
    expect((await runCommand('tape', 'slice', candles, '--from', 'noon', '--out', out)).err).toContain('--from "noon" is not a time');
  });
});

describe('a folder that is missing', () => {
  test.each([
    ['import', '--from', 'candles', FILE, '--market', 'BTC', '--out', join(folder, 'imports', 'new', 'x.tape')],
    ['record', '--markets', 'BTCUSDC', '--for', '1s', '--out', join(folder, 'records', 'new', 'x.tape')],
    ['tape', 'slice', candles, '--from', '2024-01-01T02:00:00Z', '--out', join(folder, 'slices', 'new', 'x.tape')],
    ['export', candles, '--out', join(folder, 'exports', 'new', 'x.parquet')],
  ])('is created by %s', async (...words) => {
    const { code, err } = await runCommand(...words);
    expect([code, existsSync(words.at(-1) ?? '')], err).toEqual([0, true]);
  });

  test('that cannot be created is an error before calibrate begins', async () => {
    const { code, err } = await runCommand('calibrate', recorded, '--out', join(recorded, 'x.yaml'));
    expect([code, err]).toEqual([2, expect.stringContaining('x.yaml cannot be written')]);
  });
});

describe('tape cat', () => {
  test('prints the rows, as text or JSON', async () => {
    const span = ['--from', '2024-01-01T01:00:00Z', '--to', '2024-01-01T02:00:00Z'];
    expect((await runCommand('tape', 'cat', candles, ...span)).out).toEqual([
      '2024-01-01T01:00:00.000Z open 42475.2 3600',
      '2024-01-01T01:00:00.000Z high 42775.0',
      '2024-01-01T01:00:00.000Z low 42431.7',
      '2024-01-01T01:00:00.000Z close 42613.6 1196.379',
    ]);
    const { out } = await runCommand('tape', 'cat', recorded, '--json');
    const rows = out.map((line) => JSON.parse(line) as Record<string, unknown>);
    const tape = await openTape(recorded);
    expect(rows).toHaveLength(tape.facts.rows);
    await tape.close();
    expect(rows.find(({ kind }) => kind === 'trade')).toEqual({
      at: expect.stringContaining('Z'),
      kind: 'trade',
      side: expect.stringMatching(/bid|ask/),
      price: expect.stringMatching(/^\d+\.\d+$/),
      size: expect.stringMatching(/^\d+\.\d+$/),
    });
  });
});

const play = (...more: readonly string[]) =>
  runCommand('backtest', '--strategy', 'grid', '--tape', recorded, '--report', join(folder, 'r.html'), '--json', ...more);

describe('a backtest of a part of a tape', () => {
  test('lasts from --from to --to', async () => {
    const tape = await openTape(recorded);
    const start = Math.ceil(tape.facts.first / 1_000);
    await tape.close();
    const at = (seconds: number): string => new Date(start + seconds * 1_000).toISOString();
    const { out } = await play('--from', at(5), '--to', at(15));
    const lines = out.map((line) => JSON.parse(line) as { kind: string; at?: string; turns?: number });
    const times = lines.flatMap(({ at: time }) => (time === undefined ? [] : [time])).toSorted();
    expect(times[0]! >= at(5)).toBe(true);
    expect(times.at(-1)! < at(20)).toBe(true);
    expect(lines.at(-1)).toMatchObject({ kind: 'summary' });
    expect(lines.at(-1)?.turns).toBeGreaterThan(10);
    expect((await play('--from', at(0))).out.at(-1)).toBe((await play()).out.at(-1));
  });

  test('outside of the tape is refused', async () => {
    expect((await play('--from', '2040-01-01')).err).toContain('the tape has nothing from 2040-01-01T00:00:00.000Z');
  });
});
