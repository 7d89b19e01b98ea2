// Every kind of damage is found and reported with its block; wrong rows are never returned.
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Row, RowBuilder } from '../../../src/embedded/rows/row-builder.ts';
import { packBlock } from '../../../src/embedded/tape/block.ts';
import { encodeHead, encodeIndex, encodePrelude, HEAD, type Head, TAIL } from '../../../src/embedded/tape/layout.ts';
import { openTape } from '../../../src/embedded/tape/reader.ts';
import { allRows, errorMessageOf, headerOf, randomRows, rowAt, START, scratch, tapeOf } from './samples.ts';

const at = scratch();
const BLOCKS = [
  randomRows(5, { seed: 'one' }),
  randomRows(3, { seed: 'two' }).map((row) => ({ ...row, time: row.time + 10_000 })),
  [rowAt(START + 20_000)],
];

let whole: Buffer;
/** Offsets of the blocks and of the index. */
let marks: readonly number[];
beforeEach(async () => {
  await tapeOf(at('whole.tape'), BLOCKS, { ...headerOf(), source: '' });
  whole = readFileSync(at('whole.tape'));
  const index = whole.length - TAIL - BLOCKS.length * HEAD - 4;
  const sizes = BLOCKS.map((_, block) => HEAD + whole.readUInt32LE(index + 4 + block * HEAD + 24));
  const start = index - sizes.reduce((sum, size) => sum + size, 0);
  marks = sizes.reduce<number[]>((all, size) => [...all, (all.at(-1) ?? 0) + size], [start]);
  expect(marks.at(-1)).toBe(index);
});

const reading = async (file: string): Promise<unknown> => allRows(await openTape(file));
/** Returns the block that contains a byte; 0 before the first, 4 after the last. */
const blockAt = (offset: number): number => marks.filter((mark) => mark <= offset).length;

/** Returns a tape of these heads and bodies, with valid checksums. */
function resealed(blocks: readonly { head: Head; body: Buffer }[], prelude = whole.subarray(0, marks[0])): void {
  const heads = blocks.map(({ head }) => head);
  const index = encodeIndex(heads, Buffer.alloc(32));
  writeFileSync(at('a.tape'), Buffer.concat([prelude, ...blocks.flatMap(({ head, body }) => [encodeHead(head), body]), index]));
}
const blockOf = (number: number): { head: Head; body: Buffer } => {
  const bytes = whole.subarray(marks[number - 1], marks[number]);
  const [rows, size, crc] = [bytes.readUInt32LE(4), bytes.readUInt32LE(24), bytes.readUInt32LE(28)];
  return { head: { rows, first: bytes.readDoubleLE(8), last: bytes.readDoubleLE(16), size, crc }, body: bytes.subarray(HEAD) };
};

/** Returns a tape of one block with valid checksums, whose body may be changed after it was packed. */
async function resealedAs(rows: readonly Row[], change: (body: Buffer) => Partial<Head>): Promise<void> {
  const builder = new RowBuilder();
  for (const row of rows) builder.add(row);
  const body = Buffer.from(await packBlock(builder.take()));
  const [first, last] = [rows[0]?.time ?? 0, rows.at(-1)?.time ?? 0];
  const head = { rows: rows.length, first, last, size: body.length, ...change(body) };
  resealed([{ head: { ...head, crc: crc32(body) }, body }]);
}

test('any flipped byte is found', async () => {
  for (let offset = 0; offset < whole.length; offset++) {
    const bytes = Buffer.from(whole);
    bytes[offset] = (bytes[offset] ?? 0) ^ (1 << (offset % 8));
    writeFileSync(at('a.tape'), bytes);
    const complaint = await errorMessageOf(reading(at('a.tape')));
    const block = blockAt(offset);
    expect({ offset, complaint }).toEqual({
      offset,
      complaint: expect.stringMatching(
        block === 0 ? /not a tape|of version|header/ : block < 4 ? `block ${block} is damaged` : /index|truncated/,
      ),
    });
  }
});

test('any truncation is found', async () => {
  copyFileSync(at('whole.tape'), at('a.tape'));
  for (let size = whole.length - 1; size >= 0; size--) {
    truncateSync(at('a.tape'), size);
    const complaint = await errorMessageOf(openTape(at('a.tape')));
    const block = blockAt(size);
    expect({ size, complaint }).toEqual({
      size,
      complaint: expect.stringMatching(
        block === 0 ? /not a tape|header/ : `truncated in block ${block}: ${block === 1 ? 'no' : block - 1} blocks are complete`,
      ),
    });
  }
});

test('reports how much of a tape that was not closed is complete', async () => {
  writeFileSync(at('a.tape'), whole.subarray(0, (marks[2] ?? 0) + 50));
  const last = BLOCKS[1]?.at(-1)?.time ?? 0;
  expect(await errorMessageOf(openTape(at('a.tape')))).toContain(
    `2 blocks are complete with 8 rows up to ${new Date(last / 1000).toISOString()}`,
  );
});

test('bytes after the end are found', async () => {
  writeFileSync(at('a.tape'), Buffer.concat([whole, Buffer.from([0])]));
  expect(await errorMessageOf(openTape(at('a.tape')))).toContain('was not closed, or is truncated');
});

describe('valid checksums of invalid content', () => {
  test('unchanged, the tape is valid', async () => {
    resealed([blockOf(1), blockOf(2), blockOf(3)]);
    expect(await reading(at('a.tape'))).toEqual(BLOCKS.flat());
  });

  test('blocks that are not in order of time', async () => {
    resealed([blockOf(2), blockOf(1), blockOf(3)]);
    expect(await errorMessageOf(openTape(at('a.tape')))).toMatch(
      /block 2 begins at 2023-11-14T22:13:20\S+, before the previous block ends/,
    );
  });

  test('a block with another last time than its head', async () => {
    const { head, body } = blockOf(2);
    resealed([blockOf(1), { head: { ...head, last: head.last + 1 }, body }]);
    expect(await errorMessageOf(reading(at('a.tape')))).toContain('block 2 is damaged: its last time is not the one in its head');
  });

  const regular = Array.from({ length: 400 }, (_, row) => rowAt(START + row * 1_000));

  test('a row of an unknown kind', async () => {
    await resealedAs([rowAt(START, { code: 14 })], () => ({}));
    expect(await errorMessageOf(reading(at('a.tape')))).toContain('block 1 is damaged: it has a row with the unknown code 14');
  });

  test('times that go back within a block', async () => {
    await resealedAs(regular.slice(0, 3), (body) => {
      body.writeDoubleLE(-500, 20); // the steps are 0, 1000, 1000; less this
      return { last: START + 500 };
    });
    expect(await errorMessageOf(reading(at('a.tape')))).toContain('block 1 is damaged: its list of columns is not valid');
  });

  test('a block of more rows, or of fewer', async () => {
    for (const rows of [404, 396]) {
      await resealedAs(regular, () => ({ rows }));
      expect(await errorMessageOf(reading(at('a.tape')))).toContain(`block 1 is damaged: it does not inflate to the ${2 * rows} bytes`);
    }
  });

  test('the body of another tape, with order ids', async () => {
    resealed([blockOf(1)], encodePrelude(JSON.stringify(headerOf('orders'))));
    expect(await errorMessageOf(reading(at('a.tape')))).toContain('block 1 is damaged');
  });

  test('a head with invalid numbers', async () => {
    const { head, body } = blockOf(1);
    for (const wrong of [{ rows: 65_537 }, { rows: 0 }, { size: 2 ** 31 }, { first: head.last + 1 }, { first: Number.NaN }]) {
      resealed([{ head: { ...head, ...wrong }, body }]);
      expect(await errorMessageOf(openTape(at('a.tape')))).toContain('its index is damaged');
    }
  });

  test('an index of other blocks', async () => {
    writeFileSync(
      at('a.tape'),
      Buffer.concat([whole.subarray(0, marks[1]), encodeIndex([blockOf(1).head, blockOf(2).head], Buffer.alloc(32))]),
    );
    expect(await errorMessageOf(openTape(at('a.tape')))).toContain('its index is damaged: it does not match the blocks');
  });

  test('an invalid header', async () => {
    resealed([], encodePrelude(JSON.stringify({ ...headerOf(), books: 'unknown' })));
    expect(await errorMessageOf(openTape(at('a.tape')))).toContain('its header is damaged');
  });
});

describe('a file that is not a tape', () => {
  test('another file', async () => {
    writeFileSync(at('a.tape'), '{"kind":"ready"}\n'.repeat(50));
    expect(await errorMessageOf(openTape(at('a.tape')))).toMatch(/a\.tape: is not a tape$/);
  });

  test('an empty file', async () => {
    writeFileSync(at('a.tape'), '');
    expect(await errorMessageOf(openTape(at('a.tape')))).toContain('is not a tape');
  });

  test('a missing file', async () => {
    expect(await errorMessageOf(openTape(at('none.tape')))).toContain('none.tape: cannot be opened: no such file or directory (ENOENT)');
  });

  test('an incomplete one', async () => {
    writeFileSync(at('a.tape.new'), whole.subarray(0, marks[2]));
    expect(await errorMessageOf(openTape(at('a.tape')))).toMatch(/a\.tape: was not closed$/);
  });

  test('a directory', async () => {
    expect(await errorMessageOf(openTape(at('.')))).toContain('is not a tape');
  });

  test.each([1, 3])('a tape of version %i', async (version) => {
    const bytes = Buffer.from(whole);
    bytes.writeUInt32LE(version, 8);
    writeFileSync(at('a.tape'), bytes);
    expect(await errorMessageOf(openTape(at('a.tape')))).toContain(`is a tape of version ${version}; this program reads version 2`);
  });
});
