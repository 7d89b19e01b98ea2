// A tape as Parquet: the columns that other programs read, and the same tape rebuilt from it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { parquetWriteFile } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/embedded/rows/row-builder.ts';
import { codeOf } from '../../../src/embedded/rows/rows.ts';
import { exportParquet, importParquet } from '../../../src/embedded/tape/parquet.ts';
import { openTape } from '../../../src/embedded/tape/reader.ts';
import { allRows, errorMessageOf, headerOf, randomRows, rowAt, START, scratch, tapeOf } from './samples.ts';

const at = scratch();

async function exported(blocks: readonly (readonly Row[])[], header = headerOf()): Promise<string> {
  const { hash } = await tapeOf(at('a.tape'), blocks, header);
  const tape = await openTape(at('a.tape'));
  await exportParquet(tape, at('a.parquet'));
  await tape.close();
  return hash;
}

describe('an exported file', () => {
  test('has times in UTC, text, decimals, and the integers of the tape', async () => {
    await exported([
      [
        rowAt(START, { code: codeOf('level', { side: 'ask', last: true, snapshot: true }), lag: -3_000 }),
        rowAt(START, { code: codeOf('trade'), size: 5 }),
        rowAt(START, { code: codeOf('mark'), size: 0 }),
        rowAt(START, { code: codeOf('funding'), price: 3_600_000, size: -12_500_000 }),
        rowAt(START, { code: codeOf('gap'), price: 0, size: 0 }),
      ],
    ]);
    const file = await asyncBufferFromFile(at('a.parquet'));
    const time = new Date(START / 1000);
    const cells = { time, received: new Date(START / 1000), side: null, price: null, size: null, rate: null, last: false, snapshot: false };
    expect(await parquetReadObjects({ file })).toEqual([
      {
        ...cells,
        received: new Date(START / 1000 - 3),
        kind: 'level',
        side: 'ask',
        price: 28_000.5,
        size: 0.0012,
        last: true,
        snapshot: true,
        price_ticks: 280_005,
        size_lots: 12n,
      },
      { ...cells, kind: 'trade', side: 'bid', price: 28_000.5, size: 0.0005, price_ticks: 280_005, size_lots: 5n },
      { ...cells, kind: 'mark', price: 28_000.5, price_ticks: 280_005, size_lots: 0n },
      { ...cells, kind: 'funding', rate: -0.0000125, price_ticks: 3_600_000, size_lots: -12_500_000n },
      { ...cells, kind: 'gap', price_ticks: 0, size_lots: 0n },
    ]);
    const { key_value_metadata: pairs } = await parquetMetadataAsync(file);
    expect(pairs).toEqual([{ key: 'tickwright.tape', value: JSON.stringify(headerOf()) }]);
  });

  test('has row groups of many rows, also for small blocks', async () => {
    const rows = randomRows(70_000, { seed: 'groups' });
    await exported([rows.slice(0, 1_000), rows.slice(1_000)]);
    const { row_groups: groups } = await parquetMetadataAsync(await asyncBufferFromFile(at('a.parquet')));
    expect(groups.map(({ num_rows: count }) => Number(count))).toEqual([66_536, 3_464]);
  });
});

describe('rebuilt from Parquet', () => {
  test.each([
    ['a tape of changes', 'changes'],
    ['a tape of orders', 'orders'],
  ] as const)('%s has the same hash', async (_, books) => {
    const rows = randomRows(2_000, { seed: books, orders: books === 'orders' });
    const hash = await exported([rows.slice(0, 900), rows.slice(900)], { ...headerOf(books), fundingIntervalMs: 3_600_000 });
    expect(await importParquet(at('a.parquet'), at('b.tape'))).toMatchObject({ hash, rows: 2_000 });
    expect(await allRows(await openTape(at('b.tape')))).toEqual(rows);
  });

  test('a tape without rows', async () => {
    const hash = await exported([]);
    expect(await importParquet(at('a.parquet'), at('b.tape'))).toMatchObject({ hash, rows: 0 });
  });

  test('huge values and negative lags', async () => {
    const rows = [
      rowAt(0, { lag: -(2 ** 52), size: -(2 ** 52) }),
      rowAt(Number.MAX_SAFE_INTEGER, { lag: 2 ** 52 - 2, price: -(2 ** 31), size: 2 ** 52 - 1 }),
    ];
    const hash = await exported([rows]);
    expect(await importParquet(at('a.parquet'), at('b.tape'))).toMatchObject({ hash });
  });
});

const complaint = (): Promise<string> => errorMessageOf(importParquet(at('a.parquet'), at('b.tape')));
/** Writes a file as another program would: plain types, times in milliseconds. */
function foreign(rows: Partial<Record<'time' | 'kind' | 'price_ticks', unknown>>[], withHeader = true): void {
  const columns = {
    time: new Date(START / 1000),
    received: new Date(START / 1000),
    kind: 'level',
    side: 'bid',
    last: true,
    snapshot: false,
    price_ticks: 5,
    size_lots: 7n,
  };
  parquetWriteFile({
    filename: at('a.parquet'),
    columnData: Object.entries(columns).map(([name, usual]) => ({
      name,
      data: rows.map((row) => (name in row ? row[name as 'time'] : usual)),
    })),
    ...(withHeader ? { kvMetadata: [{ key: 'tickwright.tape', value: JSON.stringify(headerOf()) }] } : {}),
  });
}

describe('files that are not imported', () => {
  test('a valid one is imported', async () => {
    foreign([{}, { time: new Date(START / 1000 + 1) }]);
    await importParquet(at('a.parquet'), at('b.tape'));
    expect(await allRows(await openTape(at('b.tape')))).toEqual([
      { time: START, lag: 0, code: codeOf('level', { last: true }), price: 5, size: 7 },
      { time: START + 1_000, lag: -1_000, code: codeOf('level', { last: true }), price: 5, size: 7 },
    ]);
  });

  test('rows that go back in time', async () => {
    foreign([{}, { time: new Date(START / 1000 - 1) }]);
    expect(await complaint()).toMatch(/b\.tape: row 2 has the time \S+, before that of the previous row/);
    expect(existsSync(at('b.tape'))).toBe(false);
  });

  test('rows of an unknown kind, or without a price', async () => {
    foreign([{}, { kind: 'levels' }]);
    expect(await complaint()).toContain('row 2 has the unknown code NaN');
    foreign([{}, { price_ticks: null }]);
    expect(await complaint()).toContain('row 2 has the price NaN');
  });

  test('a file that names no market, or lacks a column', async () => {
    foreign([{}], false);
    expect(await complaint()).toContain('its metadata has no key tickwright.tape');
    parquetWriteFile({
      filename: at('a.parquet'),
      columnData: [{ name: 'time', data: [new Date(0)] }],
      kvMetadata: [{ key: 'tickwright.tape', value: JSON.stringify(headerOf()) }],
    });
    expect(await complaint()).toContain('cannot be read as Parquet: parquet column not found: received');
  });

  test('a file that is not Parquet, a truncated one, a missing one', async () => {
    writeFileSync(at('a.parquet'), 'time,price\n');
    expect(await complaint()).toContain('a.parquet: cannot be read as Parquet');
    await exported([randomRows(100, { seed: 'half' })]);
    const bytes = readFileSync(at('a.parquet'));
    writeFileSync(at('a.parquet'), bytes.subarray(0, bytes.length / 2));
    expect(await complaint()).toContain('a.parquet: cannot be read as Parquet');
    expect(await errorMessageOf(importParquet(at('none.parquet'), at('b.tape')))).toContain('ENOENT');
    expect(readdirSync(dirname(at('a'))).toSorted()).toEqual(['a.parquet', 'a.tape']);
  });
});

describe('an export that fails', () => {
  test('leaves no file', async () => {
    await tapeOf(at('a.tape'), [randomRows(10, { seed: 'fails' })]);
    const tape = await openTape(at('a.tape'));
    const bytes = readFileSync(at('a.tape'));
    writeFileSync(at('a.tape'), bytes.fill(0, 400, 420));
    expect(await errorMessageOf(exportParquet(tape, at('a.parquet')))).toContain('a.tape: block 1 is damaged');
    expect(readdirSync(dirname(at('a')))).toEqual(['a.tape']);
    await tape.close();
  });

  test('if the file cannot be created', async () => {
    await tapeOf(at('a.tape'), []);
    const tape = await openTape(at('a.tape'));
    expect(await errorMessageOf(exportParquet(tape, at('a.tape/a.parquet')))).toContain('cannot be created: ');
    expect(await errorMessageOf(exportParquet(tape, dirname(at('a'))))).toContain('is not a file');
    await tape.close();
  });
});
