// The recording on disk: it can be read back, a crash loses only its end, its size is bounded, and it never prevents a start.
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { DiskError } from '../../../../src/base/files/disk.ts';
import { nodeDisk } from '../../../../src/base/files/node-disk.ts';
import { openStateDirectory } from '../../../../src/bot/run/state/state.ts';
import { openRecorder, readRecording, recordingsIn, removeOldRecordings } from '../../../../src/bot/run/state/turn-recorder.ts';
import { breaking, MemoryDisk } from '../../journal/memory-disk.ts';

const FIRST = 'turns-1-000001.jsonl.gz';
const fresh = (): string => mkdtempSync(join(tmpdir(), 'recorder-'));
const open = (directory: string, clock = new VirtualClock(0)) => openRecorder(nodeDisk(directory), { name: 'turns-1', clock });
const lineOf = (index: number): string => JSON.stringify({ index, text: 'é'.repeat(index % 50) });
const LINES = Array.from({ length: 20_000 }, (_, index) => lineOf(index));

async function linesOf(file: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readRecording(file)) lines.push(line);
  return lines;
}

test('all lines can be read back, take a fraction of their size, and only this user can read them', async () => {
  const directory = fresh();
  const file = join(directory, FIRST);
  const { record, close } = open(directory);
  LINES.forEach(record);
  close();
  expect(await linesOf(file)).toEqual(LINES);
  expect(readFileSync(file).length).toBeLessThan(LINES.join('\n').length / 3);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a truncated file gives its beginning, in whole lines', async () => {
  const directory = fresh();
  const file = join(directory, FIRST);
  const { record, close } = open(directory);
  LINES.forEach(record);
  close();
  truncateSync(file, Math.floor(statSync(file).size * 0.7));
  const left = await linesOf(file);
  expect(left.length).toBeGreaterThan(LINES.length / 2);
  expect(left).toEqual(LINES.slice(0, left.length));
});

test('lines are written within two seconds, so that a crash loses no more', async () => {
  const directory = fresh();
  const clock = new VirtualClock(0);
  const { record } = open(directory, clock);
  for (let second = 0; second < 10; second++) {
    record(lineOf(second));
    clock.advanceTo(clock.now() + 1_000);
  }
  expect(await linesOf(join(directory, FIRST))).toEqual(LINES.slice(0, 9));
});

test('a running process writes segments, each with the header of the recording, and removes the oldest', async () => {
  const directory = fresh();
  const clock = new VirtualClock(0);
  const keptBytes = 20_000;
  const recorder = openRecorder(nodeDisk(directory), { name: 'turns-1', clock, segmentBytes: 2_000, keptBytes });
  for (const line of LINES.slice(0, 5_000)) {
    recorder.record(line);
    clock.advanceTo(clock.now() + 20);
  }
  recorder.close();
  const files = recordingsIn(readdirSync(directory));
  const sizes = files.map((file) => statSync(join(directory, file)).size);
  expect(files.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(keptBytes + 5_000);
  expect(files[0]).not.toBe(FIRST);
  const kept: string[] = [];
  for (const file of files) {
    const [head, ...lines] = await linesOf(join(directory, file));
    expect(head).toBe(LINES[0]);
    kept.push(...lines);
  }
  expect(kept).toEqual(LINES.slice(5_000 - kept.length, 5_000));
});

test('a full disk interrupts it: written lines can be read, lost ones leave a gap in the numbers, and old segments are removed', async () => {
  const directory = fresh();
  writeFileSync(join(directory, 'turns-0-000001.jsonl.gz'), new Uint8Array(60_000));
  const clock = new VirtualClock(0);
  const disk = breaking(nodeDisk(directory), (call) =>
    call === 2 ? { error: new DiskError('full', 'no space'), done: false } : undefined,
  );
  const { record, close } = openRecorder(disk, { name: 'turns-1', clock, keptBytes: 100_000 });
  LINES.slice(0, 10_000).forEach(record);
  clock.advanceTo(60_000);
  LINES.slice(10_000).forEach(record);
  close();
  expect(recordingsIn(readdirSync(directory))).toEqual([FIRST, 'turns-1-000003.jsonl.gz']);
  const before = await linesOf(join(directory, FIRST));
  expect(before.length).toBeGreaterThan(100);
  expect(before).toEqual(LINES.slice(0, before.length));
  expect(await linesOf(join(directory, 'turns-1-000003.jsonl.gz'))).toEqual([
    expect.stringContaining('"gap":{"from":0,"reason":"no space","to":60000}'),
    ...LINES.slice(10_000),
  ]);
});

test('a turn that cannot be recorded interrupts it: the gap and its reason are in the header of the next segment', async () => {
  const directory = fresh();
  const clock = new VirtualClock(0);
  const recorder = open(directory, clock);
  const header = '{"kind":"recording"}';
  recorder.record(header);
  recorder.record(lineOf(1));
  recorder.interrupt('too deep');
  recorder.record(lineOf(2));
  expect(recorder.gap()).toEqual({ from: 0, reason: 'too deep' });
  clock.advanceTo(60_000);
  recorder.record(lineOf(3));
  recorder.close();
  const gap = { from: 0, reason: 'too deep', to: 60_000 };
  expect(recorder.gap()).toEqual(gap);
  expect(await linesOf(join(directory, FIRST))).toEqual([header, lineOf(1)]);
  expect(await linesOf(join(directory, 'turns-1-000003.jsonl.gz'))).toEqual([JSON.stringify({ kind: 'recording', gap }), lineOf(3)]);
});

test('the newest recordings are kept, up to a total size', () => {
  const disk = new MemoryDisk(['turns-1', 'turns-2', 'turns-3'].map((name) => [`${name}.jsonl.gz`, new Uint8Array(100)] as const));
  disk.create('other', new Uint8Array(1_000));
  removeOldRecordings(disk, 200);
  expect(disk.list()).toEqual(['other', 'turns-2.jsonl.gz', 'turns-3.jsonl.gz']);
  removeOldRecordings(disk, 199);
  expect(disk.list()).toEqual(['other', 'turns-3.jsonl.gz']);
});

test('neither a recording of more than 2 GiB nor a damaged one prevents a start', () => {
  const directory = fresh();
  nodeDisk(directory);
  const huge = join(directory, 'turns-1.jsonl.gz');
  closeSync(openSync(huge, 'w', 0o600));
  truncateSync(huge, 3 * 2 ** 30); // uses no disk space
  mkdirSync(join(directory, 'turns-0.jsonl.gz'));
  writeFileSync(join(directory, 'turns-2.jsonl.gz'), 'no recording at all');
  const state = openStateDirectory(directory, { clock: new VirtualClock(0), started: '9' });
  expect(readdirSync(directory)).not.toContain('turns-1.jsonl.gz');
  expect(state.remarks).toEqual([expect.stringMatching(/^the recording turns-0\.jsonl\.gz was not removed: /)]);
  state.close();
});

test('reading needs memory for one line only: more text than a string can hold', async () => {
  const file = join(fresh(), FIRST);
  const text = `${'x'.repeat(1023)}\n`;
  const member = gzipSync(text.repeat(8 * 1024));
  const members = 65; // 520 MiB: a string holds 512
  for (let count = 0; count < members; count++) appendFileSync(file, member);
  const before = process.memoryUsage().rss;
  let [lines, most] = [0, 0];
  for await (const line of readRecording(file)) {
    if (line.length !== 1023) throw new Error('another line');
    if (++lines % 50_000 === 0) most = Math.max(most, process.memoryUsage().rss - before);
  }
  expect(lines).toBe(members * 8 * 1024);
  expect(most).toBeLessThan(400 * 2 ** 20);
});

test.each([
  ['not gzip', Buffer.from('nonsense'), 'incorrect header'],
  ['changed', gzipSync(LINES.join('\n')).map((byte, index) => (index === 5_000 ? byte ^ 0xff : byte)), 'incorrect|invalid'],
])('a file that is not a recording is refused: %s', async (_, bytes, message) => {
  const file = join(fresh(), FIRST);
  writeFileSync(file, bytes);
  await expect(linesOf(file)).rejects.toThrow(new RegExp(message));
});
