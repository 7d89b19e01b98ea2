// Candle files of common programs (made by test/fixtures/candles.py): imported with the right values, or refused with the right message.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { KIND_BITS, ROW } from '../../../../src/embedded/rows/rows.ts';
import { checksText, importTape } from '../../../../src/research/import/import.ts';
import { errorTextOf, fileOf, type Imported, imported, keepFilesPerTest, pathOf } from './recordings.ts';

keepFilesPerTest();

const FIXTURES = resolve(import.meta.dirname, '../../../fixtures/candles');
const fixture = (name: string): string => join(FIXTURES, name);

/** The candles of all files: hours after the start, then open, high, low, close, volume. */
const CANDLES = [
  [0, 42283.5, 42554.6, 42261.0, 42475.2, 1271.681],
  [1, 42475.2, 42775.0, 42431.7, 42613.6, 1196.379],
  [2, 42613.6, 42638.4, 42500.0, 42581.1, 685.219],
  [4, 42503.5, 42570.6, 42180.8, 42338.9, 2091.344],
  [5, 42338.9, 42433.6, 42258.7, 42314.1, 766.123],
  [6, 42314.0, 42350.0, 42241.8, 42299.8, 579.001],
  [7, 42299.8, 42344.3, 42212.9, 42300.5, 1033.94],
  [8, 42300.5, 42305.2, 42252.2, 42265.9, 513.27],
] as const;
const START = 1_704_067_200_000;

/** The candles on a tape, in the form of `CANDLES`. */
function candlesOf({ rows, header: { market } }: Imported): number[][] {
  const candles: number[][] = [];
  for (const { time, code, price, size } of rows) {
    const kind = code & KIND_BITS;
    if (kind === ROW.open) candles.push([(time / 1_000 - START) / 3_600_000]);
    candles.at(-1)?.push(price / 10 ** market.priceDecimals);
    if (kind === ROW.close) candles.at(-1)?.push(size / 10 ** market.sizeDecimals);
  }
  return candles;
}

const VOLUMES = { yahoo: 1_000 };
const UTC = { 'dates in UTC': 8 };
const ZONED = { 'dates with a zone': 8 };

/** File, layout, unit of time, name of the column of times. */
const TAKEN = [
  ['ccxt-milliseconds.csv', 'comma-separated', { milliseconds: 8 }, 'timestamp'],
  ['BTCUSDT-1h-2024-01.csv', 'comma-separated', { milliseconds: 8 }, 'column 1'],
  ['BTCUSDT-1h-2025-01.csv', 'comma-separated', { microseconds: 8 }, 'open_time'],
  ['python-binance.csv', 'comma-separated', UTC, 'Open time'],
  ['yfinance.csv', 'comma-separated', ZONED, ''],
  ['BTC-USD.csv', 'comma-separated', UTC, 'Datetime'],
  ['semicolons.csv', 'semicolon-separated', ZONED, 'Date'],
  ['metatrader.csv', 'tab-separated', UTC, '<TIME>'],
  ['pandas-index-zone.csv', 'comma-separated', ZONED, ''],
  ['seconds.csv', 'comma-separated', { seconds: 8 }, 'time'],
  ['nanoseconds.tsv', 'tab-separated', { nanoseconds: 8 }, 'ts'],
  ['CryptoDataDownload.csv', 'comma-separated', { milliseconds: 8 }, 'unix'],
  ['objects.ndjson', 'JSON objects', { milliseconds: 8 }, 'date'],
  ['lists.ndjson', 'JSON lists', { milliseconds: 8 }, 'column 1'],
  ['BTC_USDT-1h.json', 'JSON lists', { milliseconds: 8 }, 'column 1'],
  ['pretty.json', 'JSON objects', { milliseconds: 8 }, 'openTime'],
  ['pyarrow-snappy.parquet', 'comma-separated', ZONED, '__index_level_0__'],
  ['pyarrow-zstd.parquet', 'comma-separated', UTC, 'timestamp'],
  ['fastparquet-gzip.parquet', 'comma-separated', ZONED, 'date'],
  ['fastparquet-plain.parquet', 'comma-separated', { milliseconds: 8 }, 'time'],
  ['BTC_USDT-1h.feather', 'comma-separated', ZONED, 'date'],
  ['single.feather', 'comma-separated', UTC, 'date'],
  ['seconds.csv.gz', 'comma-separated', { seconds: 8 }, 'time'],
  ['seconds.csv.zst', 'comma-separated', { seconds: 8 }, 'time'],
  ['noise.csv', 'comma-separated', { seconds: 8 }, 'time'],
] as const;

const REFUSED = [
  ['wrong-high-below-low.csv', 'csv:4:20: high 42400.1 is below the low, 42500.0'],
  ['wrong-close-outside.csv', 'csv:5:36: close 42571.0 is above the high, 42570.6'],
  ['wrong-nan.csv', 'csv:6:12: open is "NaN", not a number'],
  ['wrong-nan.parquet', 'parquet: row 4: high is empty'],
  ['wrong-empty.csv', 'csv:7:28: low is empty'],
  ['unsorted.csv', 'csv:3:1: time is 2024-01-01T07:00:00.000Z, before that of the previous row, 2024-01-01T08:00:00.000Z | give --sort'],
  ['wrong-duplicate.csv', 'csv:5:1: time is 2024-01-01T02:00:00.000Z again'],
  ['wrong-1970.csv', 'csv:2:1: date is 1970-01-01 00:28:24.067200, which is not a time from 1990 to 2099'],
  ['wrong-unit.csv', 'csv:2:1: time_ms is 1704067200: in milliseconds, as the name of the column states, that is in the year 1970'],
  ['wrong-symbol.csv', 'csv:6:1: symbol is "ETHUSDT", but --market is BTCUSDC'],
  ['ETHUSDT-1h.csv', 'ETHUSDT-1h.csv: is of ETHUSDT by its name, but --market is BTCUSDC'],
  ['wrong-comma.csv', 'csv:2:12: open is "42283,5", not a number | write numbers with a decimal point'],
] as const;

const take = (name: string, options = {}): Promise<Imported> =>
  imported('candles', [fixture(name)], {}, { market: 'BTCUSDC', timezone: 'UTC', ...options });

describe('a file of candles', () => {
  test.each(TAKEN)('%s is taken', async (name, layout, units, time) => {
    const made = await take(name);
    const scale = /yfinance|USD\.csv/.test(name) ? VOLUMES.yahoo : 1;
    expect(candlesOf(made)).toEqual(CANDLES.map((candle) => [...candle.slice(0, 5), Math.round(candle[5] * scale * 1e3) / 1e3]));
    expect(made.header).toMatchObject({ books: 'candles', pollMs: 3_600_000, market: { priceDecimals: 1 } });
    expect(made.checks.layouts).toMatchObject([{ layout, units, columns: { time } }]);
    expect(made.checks.candles).toMatchObject({ count: 8, missing: 1 });
  });

  test.each(REFUSED)('%s is refused', async (name, says) => {
    expect(await errorTextOf(take(name))).toContain(says);
  });

  test('is in one of the two lists, for each fixture', () => {
    expect(readdirSync(FIXTURES).toSorted()).toEqual([...TAKEN, ...REFUSED].map(([name]) => name).toSorted());
  });

  test('that is unsorted is sorted with --sort, and a repeated row is still found', async () => {
    expect(candlesOf(await take('unsorted.csv', { sort: true }))).toEqual(CANDLES);
    const repeated = readFileSync(fixture('unsorted.csv'), 'utf8').trim().split('\n');
    const file = fileOf('repeated.csv', [...repeated, repeated[2] ?? '']);
    expect(await errorTextOf(imported('candles', [file], {}, { sort: true }))).toContain(
      'repeated.csv:10:1: time is 2024-01-01T07:00:00.000Z again',
    );
  });

  test('has all inferred facts in the report', async () => {
    const report = await importTape({ from: 'candles', files: [fixture('noise.csv')], market: 'BTCUSDC', out: pathOf('a.tape') });
    expect(checksText(report).slice(1, -1)).toEqual([
      '  file      noise.csv: comma-separated; times in seconds; columns time, open, high, low, close, volume',
      '  time      2024-01-01 00:00:00.000 to 2024-01-01 08:00:00.000 UTC, 8 h',
      '  rows      32: 8 open, 8 high, 8 low, 8 close',
      '  decimals  price 1, size 3; 32 prices rounded to the tick, 0.1, by at most 7.3e-12; 8 sizes rounded to the nearest step',
      '  kind      perpetual: assumed, because no name says it; --spot imports it as a spot market',
      '  margins   imf 0.05, cmf 0.0375, mmf 0.025',
      '  candles   8 candles, 2024-01-01 00:00 to 2024-01-01 08:00, 1 missing: 2024-01-01 03:00; one is 1 hour',
    ]);
  });
});

const HEADER = 'time,open,high,low,close,volume';
const of = (...rows: readonly string[]): string => fileOf('own.csv', rows);
const complaint = (...rows: readonly string[]): Promise<string> => errorTextOf(imported('candles', [of(...rows)]));

describe('candles', () => {
  test.each([
    ['60000.5', '31', 5, 'price 1, size 5 (the data has 0); the smallest order is 0.00001, worth about 0.6; --size-decimals sets it'],
    ['60000.55', '31', 5, 'price 2, size 5 (the data has 0); the smallest order is 0.00001, worth about 0.6; --size-decimals sets it'],
    ['0.05123', '31.512', 3, 'price 5, size 3'],
    ['0.00001234', '31', 0, 'price 8, size 0'],
    ['0.0512345', '31.512', 1, 'price 7, size 1 (the data has 3); 1 size rounded to the nearest step'],
    ['60000.5', '31.5', 5, 'price 1, size 5 (the data has 1); the smallest order is 0.00001, worth about 0.6; --size-decimals sets it'],
    ['60000.5', '31.512', 3, 'price 1, size 3'],
    ['42.5', '31', 0, 'price 1, size 0'],
    ['0.0025', '31', 0, 'price 4, size 0'],
  ])('at %s with volumes of %s have %i decimals in their sizes', async (price, volume, decimals, text) => {
    const file = of(HEADER, `1704067200,${price},${price},${price},${price},${volume}`, `1704070800,${price},${price},${price},${price},2`);
    const { header } = await imported('candles', [file]);
    expect(header.market.sizeDecimals).toBe(decimals);
    const report = await importTape({ from: 'candles', files: [file], market: 'BTCUSDC', out: pathOf('sizes.tape') });
    expect(checksText(report)).toContain(`  decimals  ${text}`);
  });

  test('keep the decimals of the option', async () => {
    const file = of(HEADER, '1704067200,60000,60000,60000,60000,31', '1704070800,60000,60000,60000,60000,31');
    const options = {
      from: 'candles',
      files: [file],
      market: 'BTCUSDC',
      out: pathOf('asked.tape'),
      overrides: { sizeDecimals: 0 },
    } as const;
    expect((await importTape(options)).header.market.sizeDecimals).toBe(0);
  });

  test('of a unit that changes within the file are taken, and the units are counted', async () => {
    const { checks } = await imported('candles', [of(HEADER, '1704067200000,1,1,1,1,1', '1704067260000000,1,1,1,1,1')]);
    expect(checks.layouts[0]?.units).toEqual({ milliseconds: 1, microseconds: 1 });
    expect(checks.candleMs).toBe(60_000);
  });

  test('with noise get a tick of a millionth of the price; an option may set fewer decimals', async () => {
    const rows = [0, 1, 2].map((hour) => `${1_704_067_200 + hour * 3_600},${100 / 3},${200 / 3},${100 / 7},${200 / 7},1.5`);
    const { header, checks } = await imported('candles', [of(HEADER, ...rows)]);
    expect(header.market).toMatchObject({ priceDecimals: 5, sizeDecimals: 1 });
    expect(checks.roundedPrices.count).toBe(12);
    expect((await imported('candles', [of(HEADER, ...rows)], { priceDecimals: 2 })).rows[0]?.price).toBe(3_333);
    const none = rows.map((row) => row.replace(/,.*,/, ',0.4,0.4,0.4,0.4,'));
    expect(await errorTextOf(imported('candles', [of(HEADER, ...none)], { priceDecimals: 0 }))).toContain('less than a tick');
  });

  test('of two intervals, or with invalid times, are refused', async () => {
    const minutes = [0, 60, 120, 180, 200].map((second) => `${1_704_067_200 + second},1,1,1,1,1`);
    expect(await complaint(HEADER, ...minutes)).toContain('begins 20 seconds after the previous one, but most are 1 minute apart');
    expect(await complaint(HEADER, '2024-02-30,1,1,1,1,1')).toContain('not a time');
    expect(await complaint(HEADER, '17,1,1,1,1,1')).toContain('not a time from 1990 to 2099 in any unit');
    for (const date of ['01/02/2025 00:00', '31.12.2024', '12.5.2024'])
      expect(await complaint(HEADER, `${date},1,1,1,1,1`)).toContain(`is ${date}: whether the day or the month comes first is not known`);
    expect(await complaint('close_time,open,high,low,close,volume')).toContain('add a column open_time');
    expect(await complaint('time,open,high,low,close')).toContain('has no column for the volume');
    expect(await complaint('1704067200,1,1,1,1,1,1,1')).toContain('8 values and no header');
    expect(await complaint(HEADER, '1704067200,1,1,1,-1,1')).toContain('own.csv:2:18: close is -1, not a price above 0');
  });

  test('of invalid JSON, or of another structure, are refused', async () => {
    const row = '[1704067200,1,1,1,1,1]';
    expect(await complaint(`[${row},`)).toContain('ends in the middle of its JSON');
    expect(await complaint(`[${row}]]`)).toContain('own.csv:1: is not valid JSON');
    expect(await complaint(`[${row},[1704067260,1,2,3,1,1]]`)).toContain('own.csv:1: record 2: column 3 2 is below the low, 3');
    expect(await complaint('{"open":{"0":1},"close":{"0":1}}')).toContain('no column for the time');
    expect(await complaint(`[${'[1,'.repeat(50)}`)).toContain('ends in the middle');
    expect(await complaint(`[${'[1,'.repeat(100)}`)).toContain('nested deeper than 64 levels');
    expect(await complaint(`{"time":"${'x'.repeat(70_000)}"}`)).toContain('more than 64 KiB');
  });

  test('in two files count once if they agree, else are refused', async () => {
    const rows = CANDLES.map(([hour, ...values]) => `${START / 1_000 + hour * 3_600},${values.join(',')}`);
    const files = [fileOf('a.csv', [HEADER, ...rows.slice(0, 5)]), fileOf('b.csv', [HEADER, ...rows.slice(4)])];
    const { checks } = await imported('candles', files);
    expect(checks.excluded).toMatchObject([{ reason: 'already received', count: 1 }]);
    const other = fileOf('c.csv', [HEADER, ...rows.slice(4).map((row) => row.replace('766.123', '766.124'))]);
    expect(await errorTextOf(imported('candles', [files[0] ?? '', other]))).toContain('two files differ in the candle of 2024-01-01T05:00');
  });

  test('packed with gzip or Zstandard and cut short are refused', async () => {
    const zst = readFileSync(fixture('seconds.csv.zst'));
    expect(await errorTextOf(imported('candles', [fileOf('cut', zst.subarray(0, -20))]))).toContain('middle of its Zstandard data');
    const plain = gunzipSync(readFileSync(fixture('seconds.csv.gz')));
    expect(await errorTextOf(imported('candles', [fileOf('cut', gzipSync(plain).subarray(0, -20))]))).toContain('middle of its gzip data');
    expect(await errorTextOf(imported('candles', [fileOf('a.zip', Buffer.from('PK\u0003\u0004 klines'))]))).toContain(
      'is a zip archive | unpack it',
    );
  });

  test.each([
    ['BTCUSDT', 'data_BTC_USDT_1h.csv', true],
    ['BTC', 'BTC-USD.csv', true],
    ['BTCUSDC', 'btcusdt_2024.csv', true],
    ['kPEPE', '1000PEPEUSDT-1m.csv', true],
    ['BTCUSDC', 'my candles.csv', true],
    ['BTCUSDC', 'ETH_USDT-1h.json', false],
    ['BTCUSDC', 'ethusdt.csv', false],
    ['BTCUSDC', 'BTCEUR-1h.csv', false],
    ['ETHUSDC', 'ETHBTC.csv', false],
  ])('of %s in a file named %s: %s', async (market, name, taken) => {
    const rows = [HEADER, '1704067200,1,1,1,1,1', '1704067260,1,1,1,1,1'];
    const outcome = imported('candles', [fileOf(name, rows)], {}, { market }).then(
      () => '',
      () => errorTextOf(imported('candles', [fileOf(name, rows)], {}, { market })),
    );
    expect(await outcome).toContain(taken ? '' : 'by its name');
    if (taken) expect(await outcome).toBe('');
  });
});
