// An import from end to end: the tape, the report, and the messages for files that cannot be imported.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../../../src/embedded/rows/row-builder.ts';
import { openTape } from '../../../../src/embedded/tape/reader.ts';
import { createTape } from '../../../../src/embedded/tape/writer.ts';
import type { ImportFormat } from '../../../../src/research/import/formats/reading.ts';
import { checksText, type ImportOptions, type ImportReport, importTape } from '../../../../src/research/import/import.ts';
import { headerOf } from '../samples.ts';
import { errorTextOf, fileOf, imported, keepFilesPerTest, pathOf, START, streamLine } from './recordings.ts';

keepFilesPerTest();

const tapeOf = (files: readonly string[], options: Partial<ImportOptions> = {}): Promise<ImportReport> =>
  importTape({ from: 'binance', files, market: 'BTCUSDC', out: pathOf('made.tape'), ...options });

const SNAPSHOT = streamLine.snapshot(0, 20, { bids: [['99.5', '2.004']], asks: [['100.5', '3.000']] });
const CHANGE = streamLine.change(10, { U: 21, u: 25, pu: 20 }, { b: [['99.5', '7.000']] });
const LINES = [SNAPSHOT, CHANGE, streamLine.trade(20)];

describe('a tape', () => {
  test('holds the rows and the header, and the report agrees with it', async () => {
    const file = fileOf('recorded.gz', LINES);
    const report = await tapeOf([file]);
    const tape = await openTape(pathOf('made.tape'));
    const { header, rows } = await imported('binance', [file]);
    const written: Row[] = [];
    for await (const { count, times, lags, codes, prices, sizes } of tape.blocks()) {
      for (let at = 0; at < count; at += 1) {
        written.push({ time: times[at] ?? 0, lag: lags[at] ?? 0, code: codes[at] ?? 0, price: prices[at] ?? 0, size: sizes[at] ?? 0 });
      }
    }
    await tape.close();
    expect(written).toEqual(rows);
    expect(tape.header).toEqual(header);
    expect(report.facts).toEqual(tape.facts);
    expect(report.header.market).toEqual({
      id: 0,
      symbol: 'BTCUSDC',
      kind: 'perp',
      baseTokenId: 1,
      quoteTokenId: 0,
      priceDecimals: 1,
      sizeDecimals: 3,
      imf: 0.05,
      cmf: 0.0375,
      mmf: 0.025,
    });
  });

  test('is the same for every packing', async () => {
    const [plain, gzip] = [
      await tapeOf([fileOf('recorded', Buffer.from(LINES.join('\n')))]),
      await tapeOf([fileOf('named-otherwise', gzipSync(`${LINES.join('\r\n')}\r\n\r\n`))]),
    ];
    expect({ ...plain.facts, bytes: 0, hash: '' }).toEqual({ ...gzip.facts, bytes: 0, hash: '' });
    expect(plain.checks).toEqual({ ...gzip.checks, lines: 3 });
  });

  test('reports its progress up to 1, never backwards', async () => {
    const done: number[] = [];
    await tapeOf([fileOf('a.gz', LINES), fileOf('b', [streamLine.trade(30)])], { progress: (share) => done.push(share) });
    expect(done.at(-1)).toBe(1);
    expect(done).toContain(0.5); // the survey has read all, once
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.length).toBeGreaterThanOrEqual(4);
  });

  test('takes decimals and fractions from the user', async () => {
    const overrides = { priceDecimals: 2, sizeDecimals: 2, imf: 0.1, cmf: 0.06, mmf: 0.05 };
    const { header, checks } = await tapeOf([fileOf('recorded', LINES)], { overrides });
    expect(header.market).toMatchObject(overrides);
    expect(checks).toMatchObject({ inferred: { price: 1, size: 3 }, roundedSizes: 1 });
  });

  test('of prices too fine for one token is in units of many tokens', async () => {
    const lines = [
      streamLine.trade(0, { p: '0.00001234', q: '12345' }),
      streamLine.mark(10, { p: '0.00001235', i: '0.000012344', due: 20 }),
    ];
    const files = [fileOf('recorded', lines)];
    const { header } = await tapeOf(files, { overrides: { unit: 1_000 } });
    expect(header).toMatchObject({ basePrice: 0.01234, market: { priceDecimals: 5, sizeDecimals: 3 } });
    expect(header.source).toBe('binance BTCUSDT, in units of 1000, from recorded');
    const { rows } = await imported('binance', files, { unit: 1_000 });
    expect(rows.map(({ price, size }) => [price, size])).toEqual([
      [1_234, 12_345],
      [1_235, 0],
      [1_234, 0],
      [10, 1e8],
    ]);
  });

  test('has the funding interval of the option, whatever the data shows', async () => {
    const lines = [...LINES, streamLine.mark(30, { due: 100 }), streamLine.mark(40, { due: 3_600_100 })];
    const report = await tapeOf([fileOf('recorded', lines)], { overrides: { fundingInterval: 7_200_000 } });
    expect(report.header.fundingIntervalMs).toBe(7_200_000);
    expect(checksText(report).join('\n')).toContain('funding   every 2 h; announced for');
  });
});

const complaint = async (options: Partial<ImportOptions>, lines: readonly string[] = LINES): Promise<string> =>
  errorTextOf(tapeOf([fileOf('recorded', lines)], options));

describe('invalid options', () => {
  test('more decimals than a simulated market has', async () => {
    const text = await complaint({}, [streamLine.trade(0, { p: '0.000012345', q: '0.5' })]);
    expect(text).toContain('9 decimals and the sizes 1; --price-decimals plus --size-decimals may be at most 8 | --unit 100 makes it');
    expect(await complaint({}, [streamLine.trade(0, { p: '0.123456', q: '0.555' })])).toContain(
      '--size-decimals 2 rounds sizes toward zero',
    );
    expect(await complaint({ overrides: { sizeDecimals: 8 } })).toContain('may be at most 8');
  });

  test('a unit that is not a power of ten', async () => {
    for (const unit of [0.1, 500]) expect(await complaint({ overrides: { unit } })).toContain(`--unit ${unit} is not a power of ten`);
  });

  test('coarser prices than those of the data', async () => {
    expect(await complaint({ overrides: { priceDecimals: 0 } })).toContain('--price-decimals 0');
  });

  test('prices that do not fit', async () => {
    expect(await complaint({}, [streamLine.trade(0, { p: '3000.123456', q: '1' })])).toContain('2147483647 ticks');
  });

  test.each([
    [{ priceDecimals: 1.5 }, '--price-decimals 1.5'],
    [{ sizeDecimals: -1 }, '--size-decimals -1'],
    [{ imf: 0.01 }, '--imf 0.01'],
    [{ mmf: 0 }, '--mmf 0'],
  ])('%j', async (overrides, text) => {
    expect(await complaint({ overrides })).toContain(text);
  });

  test('no symbol, a file given twice, an output that is an input', async () => {
    const file = fileOf('recorded', LINES);
    expect(await errorTextOf(tapeOf([file], { market: ' ' }))).toContain('--market is empty');
    expect(await errorTextOf(tapeOf([file, file]))).toContain('given twice');
    expect(await errorTextOf(tapeOf([file], { out: file }))).toContain('is the output file');
    expect(readFileSync(file, 'utf8')).toContain('lastUpdateId');
  });
});

describe('a bad file is reported and leaves no tape', () => {
  const packed = gzipSync(`${LINES.join('\n')}\n`.repeat(50));
  const tardis = ['exchange,symbol,timestamp,local_timestamp,id,side,price,amount', `x,B,${START}000,${START}000,1,buy,1,1`];
  const hyperliquid = `${START}000 ${JSON.stringify({ channel: 'trades', data: [] })}`;
  const other = streamLine.trade(5).replace('"s":"BTCUSDT"', '"s":"ETHUSDT"');
  const cases: readonly (readonly [what: string, from: ImportFormat, content: readonly string[] | Buffer, says: string])[] = [
    ['an empty file', 'binance', [], 'bad is empty'],
    ['a file of empty lines', 'binance', ['', ''], 'bad has no lines'],
    ['neither gzip nor text', 'binance', Buffer.from([1, 2, 0, 4]), 'bad is neither text nor a packed file that is known'],
    ['gzip cut short', 'binance', packed.subarray(0, packed.length - 20), 'bad ends in the middle of its gzip data'],
    ['damaged gzip', 'binance', Buffer.concat([packed.subarray(0, 12), Buffer.alloc(40, 7)]), 'bad cannot be read'],
    ['broken JSON', 'binance', [...LINES, streamLine.trade(30).slice(0, -9)], 'bad:4: has no valid JSON after its time'],
    ['a line without a time', 'binance', [...LINES, streamLine.trade(30).slice(20)], 'bad:4: does not begin with a time of receipt'],
    ['a field that is missing', 'binance', [SNAPSHOT.replace('"bids"', '"buds"')], 'bad:1: "bids" is not a list of [price, size]'],
    ['a price that is none', 'binance', [streamLine.trade(0, { p: '1,5' })], 'bad:1: "1,5" is not a decimal number above 0'],
    ['a price of nothing', 'binance', [streamLine.trade(0, { p: '0.0' })], 'bad:1: holds a price of 0'],
    ['a rate that is none', 'binance', [streamLine.mark(0, { r: 'much', due: 9 })], 'bad:1: "much" is not a decimal number'],
    ['two markets', 'binance', [...LINES, other], 'bad:4: is about ETHUSDT, others are about BTCUSDT | a tape holds one market'],
    ['no snapshot', 'binance', [CHANGE], 'no snapshot to begin from'],
    [
      'a snapshot that is too old',
      'binance',
      [streamLine.snapshot(0, 3, { bids: [['1', '1']] }), CHANGE].toReversed(),
      'nothing to import',
    ],
    ['nothing of use', 'binance', [streamLine.mark(0, {})], 'neither books nor trades nor candles'],
    ['Tardis as Binance', 'binance', tardis, 'bad looks like tardis, not like binance'],
    ['Hyperliquid as Binance', 'binance', [hyperliquid], 'bad looks like hyperliquid'],
    ['Binance as Hyperliquid', 'hyperliquid', LINES, 'bad looks like binance'],
    ['candles as Tardis', 'tardis', ['time_ms,open,high,low,close,volume'], 'bad looks like candles'],
    ['text as candles', 'candles', ['dear reader'], 'bad:1: has the columns dear reader'],
    ['unknown columns', 'tardis', ['exchange,symbol,timestamp,local_timestamp,odd'], 'bad:1: has none of the sets of columns'],
    ['a value too few', 'tardis', [...tardis, 'x,B,1'], 'bad:3: has 3 values, under 8 columns'],
    ['a time that is none', 'tardis', [...tardis, 'x,B,now,1,1,buy,1,1'], 'bad:3: "now" in the column timestamp'],
    ['a side that is none', 'tardis', [...tardis, `x,B,${START}000,1,1,up,1,1`], 'bad:3: "up" in the column side'],
    ['an amount that is none', 'tardis', [...tardis, `x,B,${START}000,1,1,buy,1,much`], 'bad:3: "much" is not a decimal number'],
    ['a side of no venue', 'hyperliquid', [hyperliquid.replace('[]', '[{"coin":"BTC","side":"C"}]')], 'bad:1: "side" is "C"'],
  ];

  test.each(cases)('%s', async (_, from, content, says) => {
    await (await createTape(pathOf('made.tape'), headerOf())).close();
    const older = readFileSync(pathOf('made.tape'));
    expect(await errorTextOf(tapeOf([fileOf('bad', content)], { from }))).toContain(says);
    expect(readdirSync(pathOf('')).toSorted()).toEqual(['bad', 'made.tape']);
    expect(readFileSync(pathOf('made.tape'))).toEqual(older);
  });

  test('a file at the output path that is not a tape is not replaced', async () => {
    writeFileSync(pathOf('made.tape'), '# Notes of a long day');
    expect(await errorTextOf(tapeOf([fileOf('recorded.gz', LINES)]))).toBe(
      'made.tape: is not a tape; it is left as it is | choose another --out',
    );
    expect(readFileSync(pathOf('made.tape'), 'utf8')).toBe('# Notes of a long day');
  });

  test('no file, or a folder', async () => {
    expect(await errorTextOf(tapeOf([pathOf('absent.gz')]))).toContain('absent.gz cannot be read');
    expect(await errorTextOf(tapeOf([pathOf('')]))).toContain('is not a file');
    expect(existsSync(pathOf('made.tape'))).toBe(false);
  });

  test('an error in the second file names that file', async () => {
    expect(await errorTextOf(tapeOf([fileOf('good', LINES), fileOf('bad', ['nonsense'])]))).toContain('bad:1:');
  });
});

const textOf = async (from: ImportFormat, ...lines: readonly string[]): Promise<string> =>
  checksText(await tapeOf([fileOf('recorded', lines)], { from })).join('\n');

const best = (at: number, u: number, size: string): string => streamLine.best(at, u, ['99.5', size, '100.5', '3.000']);

describe('the report for a person', () => {
  test('has one line per check', async () => {
    const report = await tapeOf(
      [
        fileOf('recorded', [
          ...LINES,
          streamLine.trade(15, { X: 'INSURANCE_FUND', lag: 30 }),
          streamLine.trade(18, { lag: 31 }),
          streamLine.mark(50, { due: 100 }),
          streamLine.best(60, 30, ['99.5', '7.000', '100.5', '3.000']),
          streamLine.change(70, { U: 41, u: 45, pu: 40 }, { b: [['99.5', '7.000']] }),
        ]),
      ],
      { overrides: { sizeDecimals: 2 } },
    );
    const { facts } = report;
    expect(checksText(report)).toEqual([
      'BTCUSDC: binance BTCUSDT from recorded, 8 lines',
      '  time      2023-11-14 22:13:20.000 to 2023-11-14 22:13:20.060 UTC, 60 ms',
      `  rows      ${facts.rows}: 3 level, 1 clear, 2 trade, 1 mark, 1 index, 1 funding, 1 gap`,
      '  decimals  price 1, size 2 (the data has 3); 1 size rounded toward zero, to at least one step',
      '  kind      perpetual: its updates are those of futures',
      '  margins   imf 0.05, cmf 0.0375, mmf 0.025',
      '  book      2 updates; 1 snapshot; 1 update without a snapshot to begin from; never crossed',
      '  gaps      1 sequence gap: 2023-11-14 22:13:20.060 to 2023-11-14 22:13:20.070, where the next update continues from 40 and the book is at 25: updates between them are missing',
      '  funding   every 8 h; announced for 2023-11-14 22:13',
      '  clock     time of receipt minus exchange time: median 5 ms, least 5 ms',
      '  order     1 message sorted by exchange time',
      '  left out  1 trade: INSURANCE_FUND, not a trade on the book, first at 2023-11-14 22:13:20.015 (100.0 × 1.000)',
      `  tape      ${facts.bytes} bytes, ${facts.hash}`,
    ]);
  });

  test('rounds the share of equal best prices down', async () => {
    const changes = Array.from({ length: 3 }, (_, index) =>
      streamLine.change(20 + index, { U: 26 + index, u: 26 + index, pu: 25 + index }, { b: [['99.5', '7.000']] }),
    );
    const text = await textOf('binance', SNAPSHOT, best(5, 20, '2.004'), CHANGE, best(11, 25, '9.000'), ...changes, best(40, 30, '7.000'));
    expect(text).toContain("rebuilt best bid/ask equal to the recording's own in 1 of 5 updates, 20 %");
  });

  test('mentions a clock that was behind, and a missing book', async () => {
    const text = await textOf('binance', streamLine.trade(0, { lag: -1_270 }));
    expect(text).toContain("least -1,270 ms; the recorder's clock ran behind the exchange's");
    expect(text).toContain('book      none');
    expect(text).not.toContain('gaps');
  });

  test('names missing candles', async () => {
    const rows = [0, 1, 3].map((hour) => `${START + hour * 3_600_000},1,1,1,1,5`);
    const text = await textOf('candles', 'time_ms,open,high,low,close,volume', ...rows);
    expect(text).toContain('3 candles, 2023-11-14 22:13 to 2023-11-15 01:13, 1 missing: 2023-11-15 00:13');
    expect(text).not.toContain('clock');
  });
});
