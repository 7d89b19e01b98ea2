// The journal: appended entries are found again, whatever happened to the process, and damage is never read as other entries.
import { fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { DiskError } from '../../../src/base/files/disk.ts';
import { openJournal } from '../../../src/bot/journal/journal.ts';
import { type JournalEntry, readJournal } from '../../../src/bot/journal/segment.ts';
import { breaking, MemoryDisk } from './memory-disk.ts';

interface Note extends JournalEntry {
  readonly kind: 'note';
  readonly text: string;
}

const SEED = 20_260_105;
const note = (text: string | number): Note => ({ kind: 'note', text: String(text) });
const asTheyAre = { checkpoint: (entries: readonly Note[]) => entries };
/** Rotates often, and keeps no older segment. */
const SMALL = { ...asTheyAre, segmentBytes: 200, keptBytes: 1 };
const FIRST = 'journal-000001.log';
const textsOn = (disk: MemoryDisk, options = asTheyAre): string[] => openJournal<Note>(disk, options).earlier.map(({ text }) => text);

/** The UserError of openJournal. */
function refusal(disk: MemoryDisk): UserError {
  try {
    textsOn(disk);
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('it was read');
}

describe('a journal', () => {
  test('is empty at first, and writes nothing until something is appended', () => {
    const disk = new MemoryDisk();
    expect(textsOn(disk)).toEqual([]);
    expect(disk.list()).toEqual([]);
  });

  test('has the entries of all earlier processes, in order', () => {
    const disk = new MemoryDisk();
    openJournal<Note>(disk, asTheyAre).append([note('a'), note('é\n"')]);
    const second = openJournal<Note>(disk, asTheyAre);
    second.append([note('b')]);
    second.append([note('c')]);
    expect(second.earlier.map(({ text }) => text)).toEqual(['a', 'é\n"']);
    expect(textsOn(disk)).toEqual(['a', 'é\n"', 'b', 'c']);
  });

  test('has one line per append, each with its checksum, after a header', () => {
    const disk = new MemoryDisk();
    const journal = openJournal<Note>(disk, asTheyAre);
    journal.append([note('a')]);
    journal.append([note('b')]);
    const header = '{"kind":"journal","version":1,"segment":1,"older":[]}';
    const lines = [`[${header}]`, '[{"kind":"note","text":"a"}]', '[{"kind":"note","text":"b"}]'];
    expect(disk.text(FIRST)).toBe(lines.map((json) => lineWith(json).toString()).join(''));
  });

  test('of a later version is refused', () => {
    const disk = new MemoryDisk();
    openJournal<Note>(disk, asTheyAre).append([note('a')]);
    const [, json = ''] = /^\S+ (.*)\n/.exec(disk.text(FIRST).replace('"version":1', '"version":2')) ?? [];
    disk.replace(FIRST, lineWith(json));
    expect(refusal(disk).message).toMatch(/later version, in format 2/);
  });
});

/** A line with a valid checksum. */
function lineWith(json: string): Uint8Array {
  let crc = ~0;
  for (const byte of Buffer.from(json)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xed_b8_83_20 : crc >>> 1;
  }
  return Buffer.from(`${(~crc >>> 0).toString(16).padStart(8, '0')} ${json}\n`);
}

const appends = fc.array(fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 8,
});

/** A segment with all of them, and the end of its first line. */
function written(texts: readonly (readonly string[])[]): { disk: MemoryDisk; bytes: Buffer; header: number } {
  const disk = new MemoryDisk();
  const journal = openJournal<Note>(disk, asTheyAre);
  for (const some of texts) journal.append(some.map(note));
  const bytes = Buffer.from(disk.files.get(FIRST) ?? []);
  return { disk, bytes, header: bytes.indexOf('\n') + 1 };
}

/** The entries of the first n appends, for each n. */
const prefixes = (texts: readonly (readonly string[])[]): string[] =>
  [...texts, []].map((_, count) => JSON.stringify(texts.slice(0, count).flat()));

describe('damage', () => {
  test('by a cut anywhere after the header leaves the entries of the first appends', () => {
    fc.assert(
      fc.property(appends, fc.nat(), (texts, at) => {
        const { disk, bytes, header } = written(texts);
        const length = header + (at % (bytes.length - header + 1));
        disk.replace(FIRST, bytes.subarray(0, length));
        const whole = bytes.subarray(0, length).toString('latin1').split('\n').length - 2;
        expect(textsOn(disk)).toEqual(texts.slice(0, whole).flat());
      }),
      { seed: SEED },
    );
  });

  test('of any one bit leaves the entries of the first appends without the last, or is refused with its place', () => {
    fc.assert(
      fc.property(appends, fc.nat(), fc.nat(7), (texts, at, bit) => {
        const { disk, bytes } = written(texts);
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        disk.replace(FIRST, bytes);
        try {
          const read = JSON.stringify(textsOn(disk));
          expect(prefixes(texts).slice(-2)).toContain(read);
        } catch (error) {
          if (!(error instanceof UserError)) throw error;
          expect(error.message).toMatch(/^journal-000001\.log:\d+: the journal is damaged/);
        }
      }),
      { seed: SEED, numRuns: 1_000 },
    );
  });

  test('names the line', () => {
    const { disk, bytes } = written([['a'], ['b'], ['c']]);
    disk.replace(FIRST, Buffer.from(bytes.toString().replace('"b"', '"x"')));
    const { code, message, hint } = refusal(disk);
    expect([code, message]).toEqual(['state', `${FIRST}:3: the journal is damaged: this line differs from what was written`]);
    expect(hint).toMatch(/--state DIR/);
  });

  test('of a line end does not join two lines into one that was cut off', () => {
    const { disk, bytes } = written([['a'], ['b'], ['c']]);
    bytes[bytes.lastIndexOf('\n', -2)] = 0x0b;
    disk.replace(FIRST, bytes);
    expect(refusal(disk).message).toMatch(/^journal-000001\.log:3: /);
  });

  test('is reported for an empty newest segment', () => {
    const { disk } = written([['a']]);
    disk.replace('journal-000002.log', new Uint8Array());
    expect(refusal(disk).message).toMatch(/^journal-000002\.log:1: /);
  });
});

describe('rotation', () => {
  test('begins a segment with a checkpoint when one is full, and the newest alone has everything', () => {
    const disk = new MemoryDisk();
    const last = { checkpoint: (entries: readonly Note[]) => entries.slice(-3), segmentBytes: 200 };
    const journal = openJournal<Note>(disk, last);
    for (let index = 0; index < 100; index++) journal.append([note(index)]);
    const segments = disk.list();
    expect(segments.length).toBeGreaterThan(5);
    for (const segment of segments.slice(0, -1)) disk.remove(segment);
    expect(textsOn(disk).slice(-3)).toEqual(['97', '98', '99']);
    expect(textsOn(disk).length).toBeLessThan(20);
  });

  test('keeps older segments up to a bound', () => {
    const disk = new MemoryDisk();
    const options = { checkpoint: () => [], segmentBytes: 2_000, keptBytes: 200_000 };
    const journal = openJournal<Note>(disk, options);
    for (let index = 0; index < 1_000; index++) journal.append([note(index)]);
    expect(disk.list().length).toBe(4); // three count as 64 KiB each
    expect(disk.list().at(-1)).toMatch(/^journal-0000(1\d|2\d)\.log$/);
    const again = openJournal<Note>(disk, options);
    for (let index = 0; index < 1_000; index++) again.append([note(index)]);
    expect(disk.list().length).toBe(4);
  });

  test('waits longer with a larger checkpoint, so that it does not happen at every append', () => {
    const disk = new MemoryDisk();
    const journal = openJournal<Note>(disk, { ...asTheyAre, segmentBytes: 200 });
    for (let index = 0; index < 500; index++) journal.append([note(index)]);
    expect(disk.list().length).toBeLessThan(15);
    expect(textsOn(disk)).toHaveLength(500);
  });
});

const COUNT = 40;

/** Appends one entry after another, as a process does; returns the entries whose append returned. */
function live(disk: Parameters<typeof openJournal>[0]): string[] {
  const kept: string[] = [];
  const journal = openJournal<Note>(disk, SMALL);
  for (let index = 0; index < COUNT; index++) {
    try {
      journal.append([note(index)]);
      kept.push(String(index));
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
  }
  return kept;
}

/** Number of disk calls of a process without faults. */
function callsOf(): number {
  let calls = 0;
  live(
    breaking(new MemoryDisk(), (call) => {
      calls = call;
      return undefined;
    }),
  );
  return calls;
}
const everyCall = Array.from({ length: callsOf() }, (_, index) => index + 1);

describe('a process that dies at a call of the disk', () => {
  test.each([true, false])('leaves everything that was appended (the call had been done: %s)', (done) => {
    expect(everyCall.length).toBeGreaterThan(2 * COUNT + 4); // including rotations
    for (const at of everyCall) {
      const disk = new MemoryDisk();
      const kept: string[] = [];
      const journal = openJournal<Note>(
        breaking(disk, (call) => (call === at ? { error: new Error('killed'), done } : undefined)),
        SMALL,
      );
      const die = (): void => {
        for (let index = 0; index < COUNT; index++) {
          journal.append([note(index)]);
          kept.push(String(index));
        }
      };
      expect(die).toThrow('killed');
      const found = textsOn(disk);
      expect(found.slice(0, kept.length), `call ${at}`).toEqual(kept);
      expect(found.length, `call ${at}`).toBeLessThanOrEqual(kept.length + 1);
      live(disk); // and the next process continues
      expect(textsOn(disk).slice(0, kept.length)).toEqual(kept);
      expect(textsOn(disk).length).toBeGreaterThanOrEqual(kept.length + COUNT);
    }
  });
});

describe('a disk that fails', () => {
  test.each([true, false])('at one call loses nothing that was reported as durable (the call had been done: %s)', (done) => {
    for (const at of everyCall) {
      const disk = new MemoryDisk();
      const kept = live(
        breaking(disk, (call) => (call === at ? { error: new DiskError('broken', 'input/output error'), done } : undefined)),
      );
      const found = textsOn(disk, SMALL);
      expect(
        found.filter((text) => kept.includes(text)),
        `call ${at}`,
      ).toEqual(kept);
      expect(kept.length, `call ${at}`).toBeGreaterThanOrEqual(COUNT - 1);
    }
  });

  test('for a while is used again afterwards', () => {
    const disk = new MemoryDisk();
    const kept = live(
      breaking(disk, (call) => (call > 20 && call < 30 ? { error: new DiskError('full', 'no space'), done: false } : undefined)),
    );
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.length).toBeLessThan(COUNT);
    expect(textsOn(disk)).toEqual(kept);
  });

  test('at a sync starts a new segment, and the old one is never written again', () => {
    const disk = new MemoryDisk();
    const journal = openJournal<Note>(
      breaking(disk, (call) => (call === 3 ? { error: new DiskError('broken', 'sync failed'), done: false } : undefined)),
      asTheyAre,
    );
    journal.append([note('a')]);
    journal.append([note('b')]);
    const before = disk.text(FIRST);
    journal.append([note('c')]);
    expect(disk.text(FIRST)).toBe(before);
    disk.remove(FIRST);
    expect(textsOn(disk)).toEqual(['a', 'b', 'c']);
  });
});

describe('damage that no crash can cause', () => {
  test.each([0, 1, 40])('is reported for a first line of %i bytes', (length) => {
    const disk = new MemoryDisk();
    const journal = openJournal<Note>(disk, SMALL);
    journal.append([note('a'.repeat(50))]);
    const [newest = ''] = disk.list().slice(-1);
    disk.replace(newest, Buffer.from(disk.text(newest)).subarray(0, length));
    expect(readJournal<Note>(disk).damage).toEqual([expect.stringContaining('damaged')]);
    expect(refusal(disk).message).toContain(`${newest}:1: `);
  });
});

test('a rotation that the disk refuses is no error: appended entries are durable, and the segment grows until one succeeds', () => {
  const disk = new MemoryDisk();
  let refused = 0;
  const full = Object.assign(disk.copy(), {
    files: disk.files,
    create: (file: string, bytes: Uint8Array) => {
      if (file !== FIRST && refused++ < 2) throw new DiskError('full', 'no space is left');
      return disk.create(file, bytes);
    },
  });
  const journal = openJournal<Note>(full, { ...asTheyAre, segmentBytes: 200 });
  const texts = Array.from({ length: 30 }, (_, index) => `entry ${index}`);
  for (const text of texts) journal.append([note(text)]);
  expect(refused).toBeGreaterThan(2);
  expect(disk.list().length).toBeGreaterThan(1);
  expect(textsOn(disk)).toEqual(texts);
});
