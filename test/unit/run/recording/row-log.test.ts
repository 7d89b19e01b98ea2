// The rows that a tape has not written yet: after a kill, the rows that were played are read again.
import { expect, test } from 'vitest';
import { RowLog, rowsAfter } from '../../../../src/embedded/recording/row-log.ts';
import type { Row } from '../../../../src/embedded/rows/row-builder.ts';
import { MemoryDisk } from '../../journal/memory-disk.ts';

const rows = (...times: readonly number[]): readonly Row[] => times.map((time) => ({ time, lag: 1, code: 2, price: 3, size: 4 }));
const timesAfter = (disk: MemoryDisk, tape: number, known: number): readonly number[] =>
  rowsAfter(disk, tape, known).map(({ time }) => time);

test('gives the rows that a tape lacks, of that tape only', () => {
  const disk = new MemoryDisk();
  const log = new RowLog(disk);
  log.add(0, 0, rows(10, 20));
  log.add(1, 0, rows(15));
  log.add(0, 2, rows(30, 40));
  expect([0, 1, 2, 3, 4, 9].map((known) => timesAfter(disk, 0, known))).toEqual([[10, 20, 30, 40], [20, 30, 40], [30, 40], [40], [], []]);
  expect(timesAfter(disk, 1, 0)).toEqual([15]);
  expect(rowsAfter(disk, 1, 0)).toEqual(rows(15));
});

test('keeps the rows that came after a checkpoint began, until the next one', () => {
  const disk = new MemoryDisk();
  const log = new RowLog(disk);
  log.add(0, 0, rows(10));
  const removeOld = log.next();
  log.add(0, 1, rows(20));
  expect(timesAfter(disk, 0, 0)).toEqual([10, 20]); // the checkpoint may fail
  removeOld();
  expect(timesAfter(disk, 0, 1)).toEqual([20]);
});

test('leaves out a line that the end of the process cut off, and a new process writes to a new file', () => {
  const disk = new MemoryDisk();
  new RowLog(disk).add(0, 0, rows(10));
  const [file = ''] = disk.list();
  disk.append(file, Buffer.from('{"tape":0,"before":1,"ro'));
  expect(timesAfter(disk, 0, 0)).toEqual([10]);
  new RowLog(disk).add(0, 1, rows(20));
  expect(timesAfter(disk, 0, 0)).toEqual([10, 20]);
});
