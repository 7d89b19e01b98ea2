// A file at the output path of a tape: only a tape that can be made again is replaced.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTape } from '../../../src/embedded/tape/reader.ts';
import { createTape } from '../../../src/embedded/tape/writer.ts';
import { allRows, errorMessageOf, headerOf, rowAt, START, scratch, tapeOf } from './samples.ts';

const at = scratch();
const create = (...creating: readonly [Parameters<typeof createTape>[2]?]) => createTape(at('a.tape'), headerOf(), ...creating);

/** Leaves an incomplete tape, like a recorder that was killed. */
async function left(): Promise<void> {
  const writer = await create();
  writer.add(rowAt(START));
  await writer.checkpoint();
  onTestFinished(() => writer.abort());
}

test.each<[string, () => unknown, string]>([
  ['a text', () => writeFileSync(at('a.tape'), '# Notes of a long day'), 'a.tape: is not a tape'],
  ['a directory', () => mkdirSync(at('a.tape')), 'a.tape: is not a tape'],
  [
    'a recording by polling',
    () => tapeOf(at('a.tape'), [[rowAt(START)]], { ...headerOf('polled'), made: { command: 'bot record' } }),
    'a.tape: is a tape of BTCUSDC, from a sample',
  ],
])('%s stays as it is', async (_, put, words) => {
  await put();
  expect(await errorMessageOf(create())).toContain(words);
  await expect(create()).rejects.toMatchObject({ hint: 'choose another --out' });
  expect(readdirSync(dirname(at('a.tape')))).toEqual(['a.tape']);
});

test('an imported tape of polls is replaced: its source files still exist', async () => {
  await tapeOf(at('a.tape'), [[rowAt(START)]], headerOf('polled'));
  await (await create()).close();
  expect(await allRows(await openTape(at('a.tape')))).toEqual([]);
});

test('the caller decides which tapes are replaced', async () => {
  await tapeOf(at('a.tape'), [[rowAt(START)]]);
  expect(await errorMessageOf(create({ mayReplace: ({ market }) => market.symbol !== 'BTCUSDC' }))).toContain('it is left as it is');
  expect(await (await create({ mayReplace: ({ market }) => market.symbol === 'BTCUSDC' })).close()).toMatchObject({ rows: 0 });
});

describe('an incomplete one', () => {
  test('that a crash left is replaced by an exclusive writer', async () => {
    await left();
    await (await create({ exclusive: true })).close();
    expect(await allRows(await openTape(at('a.tape')))).toEqual([]);
  });

  test('that may not be replaced stays as it is', async () => {
    await left();
    expect(await errorMessageOf(create({ mayReplace: () => false, exclusive: true }))).toContain('a.tape.new: is a tape of BTCUSDC');
    expect(readdirSync(dirname(at('a.tape')))).toEqual(['a.tape.new']);
  });

  test('is named in the hint if there is one, but not if the folder cannot be created', async () => {
    await left();
    await expect(create()).rejects.toMatchObject({ hint: expect.stringContaining('another command writes it, or was killed') as string });
    await expect(createTape(at('a.tape.new/a.tape'), headerOf())).rejects.toMatchObject({ hint: 'check the path' });
  });
});
