// A tape on a real disk: the rows written are the rows read, in bounded memory, and invalid rows are refused.
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import type { Row } from '../../../src/embedded/rows/row-builder.ts';
import { codeOf, type Rows } from '../../../src/embedded/rows/rows.ts';
import { MAX_ROWS } from '../../../src/embedded/tape/column.ts';
import { openTape, type Tape } from '../../../src/embedded/tape/reader.ts';
import { createTape, hasTape } from '../../../src/embedded/tape/writer.ts';
import { allRows, errorMessageOf, headerOf, randomRows, rowAt, rowsIn, START, scratch, tapeOf } from './samples.ts';

const at = scratch();

describe('a tape that is written and read', () => {
  test('has the same rows of all kinds, over several blocks', async () => {
    const rows = randomRows(70_000, { seed: 'kinds' });
    const facts = await tapeOf(at('a.tape'), [rows]);
    const tape = await openTape(at('a.tape'));
    expect(tape.header).toEqual(headerOf());
    expect(tape.facts).toEqual(facts);
    expect(facts).toMatchObject({ rows: 70_000, first: START + 100, last: rows.at(-1)?.time, bytes: statSync(at('a.tape')).size });
    const counts: number[] = [];
    for await (const { count } of tape.blocks()) counts.push(count);
    expect(counts).toEqual([65_536, 4_464]);
    expect(await allRows(tape)).toEqual(rows);
  });

  test('has the order ids, if its books are of orders', async () => {
    const rows = randomRows(50, { seed: 'orders', orders: true });
    await tapeOf(at('a.tape'), [rows], headerOf('orders'));
    expect(await allRows(await openTape(at('a.tape')))).toEqual(rows);
  });

  test('has the whole header', async () => {
    const header = {
      ...headerOf('polled'),
      pollMs: 250,
      fundingIntervalMs: 3_600_000,
      made: { command: 'bot record', seed: 'x' },
      source: 'ünusual "words"',
    };
    await tapeOf(at('a.tape'), [], header);
    const tape = await openTape(at('a.tape'));
    await tape.close();
    expect(tape.header).toEqual(header);
  });

  test('may have no rows', async () => {
    const facts = await tapeOf(at('a.tape'), []);
    expect(facts).toMatchObject({ rows: 0, first: 0, last: 0 });
    const tape = await openTape(at('a.tape'));
    expect(tape.facts).toEqual(facts);
    expect(await allRows(tape)).toEqual([]);
  });

  test('huge values and negative lags', async () => {
    const huge = [
      rowAt(0, { lag: -(2 ** 52), price: -(2 ** 31), size: -(2 ** 52) }),
      rowAt(0, { price: 2 ** 31 - 1, size: 0 }),
      rowAt(Number.MAX_SAFE_INTEGER, { lag: 2 ** 52, size: 2 ** 52 - 1 }),
    ];
    await tapeOf(at('a.tape'), [huge]);
    expect(await allRows(await openTape(at('a.tape')))).toEqual(huge);
  });
});

describe('the content hash', () => {
  const rows = randomRows(300, { seed: 'hash' });

  test('does not depend on the block sizes', async () => {
    const whole = await tapeOf(at('a.tape'), [rows]);
    const cut = await tapeOf(at('b.tape'), [rows.slice(0, 7), rows.slice(7, 200), rows.slice(200)]);
    expect(cut.hash).toBe(whole.hash);
    expect(cut.bytes).toBeGreaterThan(whole.bytes);
  });

  test('-0 is 0', async () => {
    const { hash } = await tapeOf(at('a.tape'), [[rowAt(0, { lag: 0, size: 0 })]]);
    expect(await tapeOf(at('b.tape'), [[rowAt(-0, { lag: -0, size: -0 })]])).toMatchObject({ hash });
    expect(await allRows(await openTape(at('b.tape')))).toEqual([rowAt(0, { lag: 0, size: 0 })]);
  });

  test('differs for another order id', async () => {
    const hashes = [1, 2].map(async (order) => (await tapeOf(at(`${order}.tape`), [[rowAt(START, { order })]], headerOf('orders'))).hash);
    expect(new Set(await Promise.all(hashes)).size).toBe(2);
  });

  test('differs for another row, order of rows, or header', async () => {
    const [first, second, ...others] = rows.map((row) => ({ ...row, time: START }));
    if (first === undefined || second === undefined) throw new Error('no rows');
    const contents = [
      [first, second, ...others],
      [second, first, ...others],
      [{ ...first, lag: first.lag + 1 }, second, ...others],
    ];
    const hashes = await Promise.all(contents.map(async (content, index) => (await tapeOf(at(`${index}.tape`), [content])).hash));
    const other = await tapeOf(at('other.tape'), [[first, second, ...others]], { ...headerOf(), source: 'another' });
    expect(new Set([...hashes, other.hash]).size).toBe(4);
  });
});

describe('from a time on', () => {
  const times = [[10, 20, 20], [20, 30], [50]];
  const whole = async (): Promise<void> =>
    void (await tapeOf(
      at('a.tape'),
      times.map((block) => block.map((time) => rowAt(time))),
    ));

  test.each([
    [0, [10, 20, 20, 20, 30, 50]],
    [20, [20, 20, 20, 30, 50]],
    [21, [30, 50]],
    [50, [50]],
    [51, []],
  ])('%d', async (from, expected) => {
    await whole();
    expect((await allRows(await openTape(at('a.tape')), from)).map(({ time }) => time)).toEqual(expected);
  });

  test('two readers at once', async () => {
    await whole();
    const tape = await openTape(at('a.tape'));
    const [one, other] = [tape.blocks()[Symbol.asyncIterator](), tape.blocks(30)[Symbol.asyncIterator]()];
    expect([(await one.next()).value?.count, (await other.next()).value?.count, (await one.next()).value?.count]).toEqual([3, 1, 2]);
    await one.return?.();
    await other.return?.();
    await tape.close();
  });
});

describe('rows that were read', () => {
  const contents = Array.from({ length: 9 }, (_, block) =>
    randomRows(20, { seed: `kept ${block}` }).map((row) => ({ ...row, time: START + block * 10_000 })),
  );
  const read = async (use: (tape: Tape, rows: Rows) => void): Promise<Rows[]> => {
    await tapeOf(at('a.tape'), contents);
    const tape = await openTape(at('a.tape'));
    const all: Rows[] = [];
    for await (const rows of tape.blocks()) {
      all.push(rows);
      use(tape, rows);
    }
    await tape.close();
    return all;
  };

  test('stay unchanged if they are not released', async () => {
    expect((await read(() => undefined)).map(rowsIn)).toEqual(contents);
  });

  test('are reused for later blocks', async () => {
    const seen: unknown[] = [];
    const all = await read((tape, rows) => {
      seen.push(rowsIn(rows));
      tape.release?.(rows);
      tape.release?.(rows); // twice is once
    });
    expect(seen).toEqual(contents);
    expect(new Set(all.map(({ times }) => times.buffer)).size).toBe(1);
  });

  test('leave nothing behind that a collection of the young generation does not free', async () => {
    const collect = youngCollection();
    const times = Array.from({ length: 20 }, (_, block) => START + block * MAX_ROWS);
    await tapeOf(at('a.tape'), times.map(fullBlock));
    const tape = await openTape(at('a.tape'));
    const kept: number[] = [];
    for await (const rows of tape.blocks()) {
      tape.release?.(rows);
      collect();
      kept.push(process.memoryUsage().arrayBuffers);
    }
    await tape.close();
    expect(kept.at(-1)! - kept[1]!).toBeLessThan(1e6); // each block inflates to 0.2 MB
  });
});

const fullBlock = (time: number): readonly Row[] => Array.from({ length: MAX_ROWS }, (_, row) => rowAt(time + row, { size: row }));

function youngCollection(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  setFlagsFromString('--no-expose-gc');
  return () => collect({ type: 'minor' });
}

describe('invalid rows', () => {
  test.each([
    ['before that of the previous row', rowAt(START - 1)],
    ['which is not a whole number of microseconds', rowAt(START + 0.5)],
    ['has the unknown code', rowAt(START, { code: 14 })],
    ['has the unknown code', rowAt(START, { code: codeOf('level') | 0x80 })],
    ['has the unknown code', rowAt(START, { code: codeOf('mark', { side: 'ask' }) })],
    ['the price 2147483648', rowAt(START, { price: 2 ** 31 })],
    ['the price 0.5', rowAt(START, { price: 0.5 })],
    ['the size 0.1', rowAt(START, { size: 0.1 })],
    ['the size NaN', rowAt(START, { size: Number.NaN })],
    ['the lag 9007199254740991', rowAt(START, { lag: Number.MAX_SAFE_INTEGER })],
    ['has an order id', rowAt(START, { order: 5 })],
    ['has an order id', rowAt(START, { code: codeOf('order') })],
  ])('%s', async (words, row) => {
    const writer = await createTape(at('a.tape'), headerOf());
    writer.add(rowAt(START));
    expect(() => writer.add(row)).toThrow(`a.tape: row 2 `);
    expect(() => writer.add(row)).toThrow(words);
    await writer.abort();
  });

  test('an order id that is not a whole number', async () => {
    const writer = await createTape(at('a.tape'), headerOf('orders'));
    expect(() => writer.add(rowAt(START, { order: -1 }))).toThrow('has the order id -1');
    await writer.abort();
  });
});

describe('an incomplete tape', () => {
  test('does not have its final name', async () => {
    expect(hasTape(at('a.tape'))).toBe(false);
    const writer = await createTape(at('a.tape'), headerOf());
    writer.add(rowAt(START));
    await writer.checkpoint();
    expect([existsSync(at('a.tape')), hasTape(at('a.tape'))]).toEqual([false, true]);
    await writer.close();
    expect(readdirSync(dirname(at('a.tape')))).toEqual(['a.tape']);
  });

  test('replaces an old one, and only when it is complete', async () => {
    await tapeOf(at('a.tape'), [[rowAt(START)]]);
    const writer = await createTape(at('a.tape'), headerOf());
    expect(await allRows(await openTape(at('a.tape')))).toEqual([rowAt(START)]);
    await writer.close();
    expect(await allRows(await openTape(at('a.tape')))).toEqual([]);
  });

  test('is not overwritten', async () => {
    const writer = await createTape(at('a.tape'), headerOf());
    expect(await errorMessageOf(createTape(at('a.tape'), headerOf()))).toContain(
      'a.tape.new: cannot be created: file already exists (EEXIST)',
    );
    await writer.abort();
  });

  test('is removed when it is aborted', async () => {
    const writer = await createTape(at('a.tape'), headerOf());
    writer.add(rowAt(START));
    await writer.checkpoint();
    writer.add(rowAt(START));
    await writer.abort();
    expect(readdirSync(dirname(at('a.tape')))).toEqual([]);
  });

  test('if the file cannot be created', async () => {
    writeFileSync(at('file'), '');
    expect(await errorMessageOf(createTape(at('file/a.tape'), headerOf()))).toContain('cannot be created');
  });

  test('with an invalid header', async () => {
    await expect(createTape(at('a.tape'), { ...headerOf(), basePrice: 0 })).rejects.toThrow('basePrice');
  });
});

describe('memory', () => {
  test('a flush leaves at most two blocks to be written', async () => {
    const rng = rngFrom('noise');
    const writer = await createTape(at('a.tape'), headerOf());
    for (let block = 0; block < 4; block++) {
      for (let row = 0; row < MAX_ROWS; row++) writer.add(rowAt(START, { size: rng.below(256) }));
      await writer.flush();
      expect(statSync(at('a.tape.new')).size).toBeGreaterThan((block - 1) * MAX_ROWS); // a byte of noise a row
    }
    await writer.abort();
  });

  test('a reader reads no further than the block that it returned', async () => {
    const { bytes } = await tapeOf(
      at('a.tape'),
      Array.from({ length: 8 }, (_, index) => [rowAt(START + index)]),
    );
    const tape = await openTape(at('a.tape'));
    const seen: number[] = [];
    const reading = async (): Promise<void> => {
      for await (const { times } of tape.blocks()) {
        seen.push((times[0] ?? 0) - START);
        if (seen.length > 1) continue;
        for await (const rows of tape.blocks()) expect(rows.count).toBe(1); // another reading passes it
        writeFileSync(at('a.tape'), Buffer.alloc(bytes)); // in place: the open tape sees it
      }
    };
    expect(await errorMessageOf(reading())).toContain('block 2 is damaged');
    expect(seen).toEqual([0]);
    await tape.close();
  });
});
