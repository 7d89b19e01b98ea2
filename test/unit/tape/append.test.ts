// Continuing a tape: after it was closed, and after its recorder was killed at any moment.
import { copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../../../src/embedded/rows/rows.ts';
import { openTape } from '../../../src/embedded/tape/reader.ts';
import { appendTape, createTape } from '../../../src/embedded/tape/writer.ts';
import { allRows, errorMessageOf, headerOf, randomRows, rowAt, START, scratch, tapeOf } from './samples.ts';

const at = scratch();
const ROWS = randomRows(40, { seed: 'append' });
const END = ROWS.at(-1)?.time ?? 0;
const MORE = [rowAt(END, { code: codeOf('gap'), price: 0, size: 0 }), rowAt(END + 1_000_000)];

async function goOn(): Promise<string> {
  const writer = await appendTape(at('a.tape'));
  for (const row of MORE) writer.add(row);
  return (await writer.close()).hash;
}

describe('a closed tape', () => {
  test('is the same as one written at once', async () => {
    await tapeOf(at('a.tape'), [ROWS]);
    const { hash } = await tapeOf(at('b.tape'), [[...ROWS, ...MORE]]);
    expect(await goOn()).toBe(hash);
    const tape = await openTape(at('a.tape'));
    expect(tape.facts).toMatchObject({ hash, rows: 42, last: END + 1_000_000 });
    expect(await allRows(tape)).toEqual([...ROWS, ...MORE]);
  });

  test('passes its header and its end to the check', async () => {
    await tapeOf(at('a.tape'), [ROWS]);
    const writer = await appendTape(at('a.tape'));
    expect({ header: writer.header, last: writer.last }).toEqual({ header: headerOf(), last: END });
    expect(() => writer.add(rowAt(END - 1))).toThrow('row 41 has the time');
    await writer.abort();
  });

  test('is not visible while it is continued, and unchanged if that is aborted', async () => {
    const before = await tapeOf(at('a.tape'), [ROWS]);
    const bytes = readFileSync(at('a.tape'));
    const writer = await appendTape(at('a.tape'));
    writer.add(rowAt(END));
    await writer.checkpoint();
    expect(existsSync(at('a.tape'))).toBe(false);
    await writer.abort();
    expect(readFileSync(at('a.tape'))).toEqual(bytes);
    const tape = await openTape(at('a.tape'));
    expect(tape.facts).toEqual(before);
    await tape.close();
  });

  test('without rows can be continued', async () => {
    await tapeOf(at('a.tape'), []);
    await (await appendTape(at('a.tape'))).abort();
    const writer = await appendTape(at('a.tape'));
    expect(writer.last).toBe(undefined);
    writer.add(rowAt(START));
    expect(await writer.close()).toMatchObject({ rows: 1 });
  });

  test('that is damaged stays unchanged', async () => {
    await tapeOf(at('a.tape'), [ROWS.slice(0, 20), ROWS.slice(20)]);
    const bytes = readFileSync(at('a.tape'));
    const damaged = Buffer.from(bytes).fill(0, 450, 452);
    writeFileSync(at('a.tape'), damaged);
    expect(await errorMessageOf(appendTape(at('a.tape')))).toContain('block 1 is damaged');
    expect(readFileSync(at('a.tape'))).toEqual(damaged);
  });

  test('that does not exist is an error', async () => {
    expect(await errorMessageOf(appendTape(at('a.tape')))).toContain('cannot be opened: no such file or directory (ENOENT)');
  });
});

test('a recorder that was killed loses what came after the last checkpoint, wherever its last write ended', async () => {
  const writer = await createTape(at('killed'), headerOf());
  for (const row of ROWS.slice(0, 30)) writer.add(row);
  await writer.checkpoint();
  const safe = readFileSync(at('killed.new')).length;
  for (const row of ROWS.slice(30)) writer.add(row);
  await writer.close();
  const size = readFileSync(at('killed')).length;
  const whole = await tapeOf(at('b.tape'), [[...ROWS, ...MORE]]);
  const saved = await tapeOf(at('c.tape'), [[...ROWS.slice(0, 30), ...MORE]]);
  const hashes = new Set<string>();
  for (let end = safe; end <= size; end += end < size - 3 ? 3 : 1) {
    copyFileSync(at('killed'), at('a.tape.new'));
    truncateSync(at('a.tape.new'), end);
    const hash = await goOn();
    hashes.add(hash);
    if (end === safe) expect(hash).toBe(saved.hash);
  }
  expect(hashes).toEqual(new Set([saved.hash, whole.hash]));
});

test('a truncated block is dropped, whatever its length', async () => {
  const writer = await createTape(at('killed'), headerOf());
  for (const row of ROWS) writer.add(row);
  await writer.checkpoint();
  for (const row of randomRows(5_000, { seed: 'lost' })) writer.add({ ...row, time: END });
  await writer.checkpoint();
  writeFileSync(at('a.tape.new'), readFileSync(at('killed.new')).subarray(0, -1));
  await writer.abort();
  const { hash } = await tapeOf(at('b.tape'), [ROWS]);
  expect(await (await appendTape(at('a.tape'))).close()).toMatchObject({ hash });
  expect(await allRows(await openTape(at('a.tape')))).toEqual(ROWS);
});

test('damage before complete blocks is an error, not the end', async () => {
  const writer = await createTape(at('a.tape'), headerOf());
  for (const rows of [ROWS.slice(0, 20), ROWS.slice(20)]) {
    for (const row of rows) writer.add(row);
    await writer.checkpoint();
  }
  const bytes = readFileSync(at('a.tape.new'));
  const start = bytes.indexOf('TBLK');
  for (const offset of [start, start + 5, start + 60, bytes.length - 1]) {
    const damaged = Buffer.from(bytes);
    damaged[offset] = (damaged[offset] ?? 0) ^ 1;
    writeFileSync(at('b.tape.new'), damaged);
    expect(await errorMessageOf(appendTape(at('b.tape')))).toMatch(/b\.tape\.new: block [12] is damaged/);
    expect(readFileSync(at('b.tape.new'))).toEqual(damaged);
  }
  await writer.abort();
});
