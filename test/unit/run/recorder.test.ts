// The recording on disk: what is written is read again, and a crash costs its end alone.
import { mkdtempSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { DiskError } from '../../../src/base/disk.ts';
import { nodeDisk } from '../../../src/base/node-disk.ts';
import { openRecorder, readRecording, removeOldRecordings } from '../../../src/run/recorder.ts';
import { breaking, MemoryDisk } from '../journal/memory-disk.ts';

const NAME = 'turns-1.jsonl.gz';
const fresh = (): string => mkdtempSync(join(tmpdir(), 'recorder-'));
const open = (directory: string, clock = new VirtualClock(0)) => openRecorder(nodeDisk(directory), { file: NAME, clock });
const lineOf = (index: number): string => JSON.stringify({ index, text: 'é'.repeat(index % 50) });
const LINES = Array.from({ length: 20_000 }, (_, index) => lineOf(index));

test('all lines come back, in a fraction of their size, for nobody else to read', () => {
  const directory = fresh();
  const file = join(directory, NAME);
  const { record, close } = open(directory);
  LINES.forEach(record);
  close();
  expect(readRecording(file)).toEqual(LINES);
  expect(readFileSync(file).length).toBeLessThan(LINES.join('\n').length / 3);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('cut off anywhere, what is left is the beginning, in whole lines', () => {
  const directory = fresh();
  const file = join(directory, NAME);
  const { record, close } = open(directory);
  LINES.forEach(record);
  close();
  truncateSync(file, Math.floor(statSync(file).size * 0.7));
  const left = readRecording(file);
  expect(left.length).toBeGreaterThan(LINES.length / 2);
  expect(left).toEqual(LINES.slice(0, left.length));
});

test('what came in is written after two seconds, so that a crash costs no more', () => {
  const directory = fresh();
  const clock = new VirtualClock(0);
  const { record } = open(directory, clock);
  for (let second = 0; second < 10; second++) {
    record(lineOf(second));
    clock.advanceTo(clock.now() + 1_000);
  }
  expect(readRecording(join(directory, NAME))).toEqual(LINES.slice(0, 9));
});

test('a disk that is full ends it, and what was written can be read', () => {
  const directory = fresh();
  const disk = breaking(nodeDisk(directory), (call) =>
    call === 2 ? { error: new DiskError('full', 'no space'), done: false } : undefined,
  );
  const { record, close } = openRecorder(disk, { file: NAME, clock: new VirtualClock(0) });
  LINES.forEach(record);
  close();
  const left = readRecording(join(directory, NAME));
  expect(left.length).toBeGreaterThan(100);
  expect(left).toEqual(LINES.slice(0, left.length));
});

test('the newest recordings are kept, as many as there is room for', () => {
  const disk = new MemoryDisk(['turns-1', 'turns-2', 'turns-3'].map((name) => [`${name}.jsonl.gz`, new Uint8Array(100)] as const));
  disk.create('other', new Uint8Array(1_000));
  removeOldRecordings(disk, 200);
  expect(disk.list()).toEqual(['other', 'turns-2.jsonl.gz', 'turns-3.jsonl.gz']);
  removeOldRecordings(disk, 199);
  expect(disk.list()).toEqual(['other', 'turns-3.jsonl.gz']);
});
