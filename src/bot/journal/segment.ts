// One journal file as text: each line holds the entries of one append, after their checksum.
import { crc32 } from 'node:zlib';
import { UserError } from '../../base/errors.ts';
import type { Disk } from '../../base/files/disk.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';

/** An entry of a journal: a plain JSON object that names its kind. */
export interface JournalEntry {
  readonly kind: string;
}

const NAME = /^journal-(\d{6,})\.log$/;
const NEWLINE = 0x0a;
const CHECKSUM = 8;
/** The pattern of an intact line's beginning inside a damaged one. */
const BEGINNING = /[0-9a-f]{8} \[/g;

/** Returns the numbers of the segments on the disk, oldest first. */
export const segmentsIn = (disk: Disk): readonly number[] =>
  disk
    .list()
    .flatMap((file) => NAME.exec(file)?.slice(1).map(Number) ?? [])
    .sort((a, b) => a - b);

export const fileOf = (segment: number): string => `journal-${String(segment).padStart(6, '0')}.log`;

/** `<crc32 of the JSON, 8 hex digits> <JSON array>\n` */
export function lineOf(entries: readonly JournalEntry[]): Uint8Array {
  const json = Buffer.from(JSON.stringify(entries));
  return Buffer.concat([Buffer.from(`${hex(crc32(json))} `), json, Buffer.of(NEWLINE)]);
}

/**
 * Returns the entries of each append, in order. An incomplete last line, from a crash during an append, is omitted. Any other damage is a UserError
 * that names the line.
 */
export function readLines(bytes: Uint8Array, file: string): readonly (readonly JournalEntry[])[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: (readonly JournalEntry[])[] = [];
  for (let start = 0; start < text.length || start === 0; ) {
    const newline = text.indexOf(NEWLINE, start);
    const end = newline < 0 ? text.length : newline;
    const line = text.subarray(start, end);
    const entries = newline < 0 ? undefined : entriesOf(line);
    const isUnfinished = lines.length > 0 && end >= text.length - 1 && !holdsLine(line); // the last line: a crash may have cut it off
    if (entries === undefined && !isUnfinished) throw damaged({ file, line: lines.length + 1 });
    if (entries !== undefined) lines.push(entries);
    start = end + 1;
  }
  return lines;
}

function entriesOf(line: Buffer): readonly JournalEntry[] | undefined {
  const json = line.subarray(CHECKSUM + 1);
  if (json.length === 0 || line.toString('latin1', 0, CHECKSUM + 1) !== `${hex(crc32(json))} `) return undefined;
  try {
    const entries: unknown = readJson(json, JSON_LIMITS.state);
    return Array.isArray(entries) && entries.every(isEntry) ? entries : undefined;
  } catch {
    return undefined; // the checksum is right, but we did not write the line
  }
}

const isEntry = (value: unknown): value is JournalEntry =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';

/** True if an intact line lies inside this one: then the line end between them is damaged, which no crash can cause. */
function holdsLine(line: Buffer): boolean {
  const text = line.toString('latin1');
  return [...text.matchAll(BEGINNING)].some(({ index }) => index > 0 && entriesOf(line.subarray(index)) !== undefined);
}

export const damaged = (place: { readonly file: string; readonly line?: number }): UserError =>
  new UserError({
    code: 'state',
    message: 'the journal is damaged: this line differs from what was written',
    place,
    hint: 'restore the file from a backup, or choose another directory with --state DIR',
  });

const hex = (checksum: number): string => checksum.toString(16).padStart(CHECKSUM, '0');

interface JournalContents<E extends JournalEntry> {
  readonly entries: readonly E[];
  /** What could not be read, and why. */
  readonly damage: readonly string[];
}

/**
 * Reads a journal for inspection, during its run or later: all entries of the kept segments, in the order of writing. Omits the checkpoints at their
 * beginnings, except that of the oldest segment and that of one after a damaged segment.
 */
export function readJournal<E extends JournalEntry>(disk: Disk): JournalContents<E> {
  const entries: JournalEntry[] = [];
  const damage: string[] = [];
  let hasPredecessor = false;
  for (const file of segmentsIn(disk).map(fileOf)) {
    try {
      const [head = [], ...lines] = readLines(disk.read(file) ?? new Uint8Array(), file);
      entries.push(...(hasPredecessor ? [] : head.slice(1)), ...lines.flat());
      hasPredecessor = true;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      damage.push(error.message);
      hasPredecessor = false;
    }
  }
  return { entries: entries as E[], damage };
}
