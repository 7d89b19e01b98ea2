// The recording on disk: what is written is read again, and a crash costs its end alone.
import { mkdtempSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRecorder, readRecording } from '../../../src/run/recorder.ts';

const fresh = (): string => join(mkdtempSync(join(tmpdir(), 'recorder-')), 'turns.jsonl.gz');
const lineOf = (index: number): string => JSON.stringify({ index, text: 'é'.repeat(index % 50) });
const LINES = Array.from({ length: 20_000 }, (_, index) => lineOf(index));

test('all lines come back, in a fraction of their size, for nobody else to read', () => {
  const file = fresh();
  const { record, close } = openRecorder(file);
  LINES.forEach(record);
  close();
  expect(readRecording(file)).toEqual(LINES);
  expect(readFileSync(file).length).toBeLessThan(LINES.join('\n').length / 3);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('cut off anywhere, what is left is the beginning, in whole lines', () => {
  const file = fresh();
  const { record, close } = openRecorder(file);
  LINES.forEach(record);
  close();
  truncateSync(file, Math.floor(statSync(file).size * 0.7));
  const left = readRecording(file);
  expect(left.length).toBeGreaterThan(LINES.length / 2);
  expect(left).toEqual(LINES.slice(0, left.length));
});
