// Imports of real recordings: their known facts must appear in the checks and on the tape.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASK_BIT, KIND_BITS, ROW } from '../../../src/embedded/rows/rows.ts';
import { openTape } from '../../../src/embedded/tape/reader.ts';
import type { ImportFormat } from '../../../src/research/import/formats/reading.ts';
import { checksText, type ImportReport, importTape } from '../../../src/research/import/import.ts';
import type { ImportOverrides } from '../../../src/research/import/rows/import-header.ts';

const DATA = resolve(import.meta.dirname, '../../../../shared/data');
const there = existsSync(DATA);
if (!there) console.info(`skipped: the recordings of ${DATA} are not here`);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-story-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const dataFile = (name: string): string => join(DATA, name);
const tapeFile = (): string => join(folder, 'made.tape');
const tapeOf = (from: ImportFormat, ...files: readonly string[]): Promise<ImportReport> => tapeWith({}, from, files);
const tapeWith = (overrides: ImportOverrides, from: ImportFormat, files: readonly string[]): Promise<ImportReport> =>
  importTape({ from, files: files.map(dataFile), market: 'BTCUSDC', out: tapeFile(), overrides });

const inMillis = (span = 0): number => Math.round(span / 1_000);
const utc = (text: string): number => Date.parse(`${text}Z`) * 1_000;

/** Computes facts of a tape from its rows alone. */
async function readBack(): Promise<{
  rows: Record<string, number>;
  ordered: boolean;
  best: { bid: number[]; ask: number[] };
  trades: number;
}> {
  const names = Object.fromEntries(Object.entries(ROW).map(([name, code]) => [code, name]));
  const rows: Record<string, number> = {};
  const book = { bid: new Map<number, number>(), ask: new Map<number, number>() };
  let [ordered, before, trades] = [true, 0, 0];
  const tape = await openTape(tapeFile());
  for await (const { count, times, codes, prices, sizes } of tape.blocks()) {
    for (let at = 0; at < count; at += 1) {
      const [time, code, price, size] = [times[at] ?? 0, codes[at] ?? 0, prices[at] ?? 0, sizes[at] ?? 0];
      const name = names[code & KIND_BITS] ?? 'none';
      rows[name] = (rows[name] ?? 0) + 1;
      ordered &&= time >= before;
      before = time;
      if (name === 'trade') trades += size;
      if (name === 'level') book[code & ASK_BIT ? 'ask' : 'bid'].set(price, size);
    }
  }
  await tape.close();
  const resting = (side: 'bid' | 'ask'): number[] => [...book[side]].flatMap(([price, size]) => (size > 0 ? [price] : []));
  const level = (side: 'bid' | 'ask', price: number): number[] => [price, book[side].get(price) ?? 0];
  return {
    rows,
    ordered,
    trades,
    best: { bid: level('bid', Math.max(...resting('bid'))), ask: level('ask', Math.min(...resting('ask'))) },
  };
}

const whole = (text: string | undefined, unit: number): number => Math.round(Number(text) * unit);

/** Returns the last best bid and ask of a recording up to its last change of the book, and the size of all its trades, in ticks and lots. */
function contentsOf(files: readonly string[], [ticks, lots]: readonly [number, number]): { bid: number[]; ask: number[]; trades: number } {
  const lines = files.flatMap((file) =>
    gunzipSync(readFileSync(dataFile(file)))
      .toString()
      .split('\n'),
  );
  const messages = lines.flatMap((line) =>
    line === '' ? [] : [(JSON.parse(line.slice(line.indexOf(' '))) as { data?: Record<string, string & number> }).data ?? {}],
  );
  const reached = messages.findLast(({ e }) => e === 'depthUpdate')?.['u'] ?? 0;
  const best = messages.findLast(({ e, u }) => e === 'bookTicker' && (u ?? 0) <= reached) ?? {};
  const trades = messages.flatMap(({ e, X, q }) => (e === 'trade' && X === 'MARKET' ? [whole(q, lots)] : []));
  return {
    bid: [whole(best['b'], ticks), whole(best['B'], lots)],
    ask: [whole(best['a'], ticks), whole(best['A'], lots)],
    trades: trades.reduce((sum, size) => sum + size, 0),
  };
}

describe.skipIf(!there)('Binance, a perpetual', () => {
  test('over a settlement: two files are one recording, without a gap, and its book is the one that the exchange reported', async () => {
    const files = ['binance-usdm/btcusdt_20230404.dat.gz', 'binance-usdm/btcusdt_20230405.dat.gz'];
    const report = await tapeOf('binance', ...files);
    const { checks, header, facts } = report;
    expect(checks).toMatchObject({
      lines: 73_765,
      symbol: 'BTCUSDT',
      inferred: { price: 1, size: 3 },
      roundedSizes: 0,
      notRead: {},
      late: 0,
    });
    expect(header.market).toMatchObject({ symbol: 'BTCUSDC', priceDecimals: 1, sizeDecimals: 3 });
    expect(checks.book).toMatchObject({ applied: 16_111, snapshots: 1, gaps: 0, stale: 0, unused: 0, crossed: 0, numbered: true });
    expect(checks.best.compared).toBeGreaterThan(16_000);
    expect(checks.best.share).toBeGreaterThanOrEqual(0.999);
    expect(checks.rows).toMatchObject({ trade: 12_934, clear: 1, settlement: 1 });
    expect(checks.excluded).toEqual([
      {
        what: 'trade',
        reason: 'INSURANCE_FUND, not a trade on the book',
        count: 1,
        first: utc('2023-04-05 00:01:14.400'),
        example: '28722.50 × 0.001',
      },
    ]);
    expect(checks.announced).toEqual([utc('2023-04-05 00:00'), utc('2023-04-05 08:00')]);
    expect(checks.settled).toMatchObject({ count: 1, first: utc('2023-04-05 00:00') });
    expect(checks.skew?.least).toBe(-26_932);
    expect(inMillis(checks.skew?.median)).toBe(6);
    expect(facts.first).toBe(utc('2023-04-04 23:58:20.452'));
    expect(checksText(report).join('\n')).toMatch(/0 sequence gaps[^]*16,109 of 16,109 updates, 100 %/);

    const { rows, ordered, best, trades } = await readBack();
    expect(rows).toEqual(checks.rows);
    expect(ordered).toBe(true);
    expect({ ...best, trades }).toEqual(contentsOf(files, [10, 1_000]));
  });

  test('with a snapshot amid the changes, and a clock that runs behind', async () => {
    const files = ['binance-usdm/ethusdt_20240808.gz'];
    const { checks } = await tapeOf('binance', ...files);
    expect(checks).toMatchObject({ lines: 74_655, symbol: 'ETHUSDT', inferred: { price: 2, size: 3 }, late: 0, excluded: [] });
    expect(checks.book).toMatchObject({ snapshots: 1, stale: 6, unused: 0, gaps: 0, crossed: 0 });
    expect(checks.best).toMatchObject({ compared: 6_579, equal: 6_579 });
    expect(checks.rows).toMatchObject({ trade: 14_076 });
    expect(inMillis(checks.skew?.median)).toBe(-1_268);

    const { rows, ordered, best, trades } = await readBack();
    expect(rows).toEqual(checks.rows);
    expect(ordered).toBe(true);
    expect({ ...best, trades }).toEqual(contentsOf(files, [100, 1_000]));
  });
});

describe.skipIf(!there)('Hyperliquid', () => {
  test('books polled twice a second, and trades without the backfill', async () => {
    const { checks, header } = await tapeOf('hyperliquid', 'hyperliquid/btcusd_20250126.gz');
    expect(header).toMatchObject({ books: 'polled', pollMs: 602, market: { priceDecimals: 0, sizeDecimals: 5 } });
    expect(checks).toMatchObject({ lines: 55, symbol: 'BTC', book: { applied: 46, gaps: 0, crossed: 0 }, rows: { trade: 34 } });
    expect(checks.excluded).toMatchObject([{ reason: 'older than the recording', count: 30 }]);
  });

  test.each([
    ['1h', 7_793, '2024-09-04 11:00'],
    ['5m', 38_531, '2025-03-14 10:00'],
  ])('candles of %s, with funding: late stamps stand on the hour, three hours are missing', async (length, count, first) => {
    const { checks, header } = await tapeOf(
      'candles',
      `hyperliquid/BTC_USDC_USDC-${length}-futures.csv`,
      'hyperliquid/BTC_USDC_USDC-1h-funding_rate.csv',
    );
    expect(header).toMatchObject({ books: 'candles', fundingIntervalMs: 3_600_000, market: { priceDecimals: 0, sizeDecimals: 5 } });
    expect(checks.candles).toMatchObject({ count, first: utc(first), missing: 0 });
    expect(checks.settled).toEqual({
      count: 18_778,
      first: utc('2023-05-12 00:00'),
      last: utc('2025-07-26 03:00'),
      missing: 3,
      missingAt: [utc('2023-07-02 20:00'), utc('2023-08-23 20:00'), utc('2024-08-15 13:00')],
    });
  });
});

describe.skipIf(!there)('Tardis', () => {
  const SNAPSHOTS = { books: 'polled' };
  test.each([
    ['binance-futures_book_snapshot_25_BTCUSDT', undefined, SNAPSHOTS, { level: 63, clear: 1 }, 10],
    ['binance-futures_book_snapshot_5_BTCUSDT', undefined, SNAPSHOTS, { level: 25, clear: 1 }, 10],
    ['huobi-dm-swap_quotes_BTC-USD', 100, SNAPSHOTS, { level: 12, clear: 1 }, 10],
    ['deribit_incremental_book_L2_BTC-PERPETUAL', 1, { books: 'changes' }, { level: 15, clear: 1 }, 1],
    ['bitmex_trades_XBTUSD', 1, { books: 'changes' }, { trade: 10 }, 0],
  ])('%s', async (name, contractValue, reported, rows, applied) => {
    const files = [`tardis/${name}.csv`];
    if (contractValue !== undefined) await expect(tapeOf('tardis', ...files)).rejects.toThrow('is an inverse contract');
    const { checks, header } = await tapeWith({ contractValue }, 'tardis', files);
    expect(header).toMatchObject(reported);
    expect(checks.rows).toEqual(rows);
    expect(checks.book).toMatchObject({ applied, gaps: 0, crossed: 0 });
    expect(checks.excluded).toEqual([]);
  });
});
