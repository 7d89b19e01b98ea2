// A sweep as processes: the number of workers changes nothing, and a second sweep reuses the rows of the first.
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';
import { type Child, startChild } from './children.ts';
import { bytesOf, finished, recordTape, temporaryFolder } from './sweep-kit.ts';

const folder = temporaryFolder();
const tape = join(folder, 'market.tape');
const storeOf = (name: string): string => join(folder, `${name}.sqlite`);
const GRID = ['--strategy', 'lean-maker', '--tape', tape, '--param', 'halfSpreadBps=2:4:2', '--param', 'leanBps=1,2'];
const sweep = (store: string, workers: number): Child =>
  startChild(['sweep', ...GRID, '--store', storeOf(store), '--workers', String(workers), '--json']);

beforeAll(() => recordTape(tape), PATIENCE_MS);

test('one worker and two give the same rows and the same store, and the second time all rows are reused', {
  timeout: PATIENCE_MS,
}, async () => {
  const one = await finished(sweep('one', 1));
  const two = await finished(sweep('two', 2));
  expect([one.code, two.code]).toEqual([0, 0]);
  expect(one.rows.length).toBe(4);
  expect(two.rows).toEqual(one.rows);
  expect(two.summary).toEqual(one.summary);
  expect(bytesOf(storeOf('two'))).toBe(bytesOf(storeOf('one')));
  const again = await finished(sweep('one', 1));
  expect(again.rows.every(({ reused }) => reused === true)).toBe(true);
  expect(again.rows.map(({ fingerprint }) => fingerprint)).toEqual(one.rows.map(({ fingerprint }) => fingerprint));
  expect(again.summary).toEqual({ ...one.summary, reused: 4 });
});
