// The simulated disk keeps exactly what a real disk guarantees.
import { describe, expect, test } from 'vitest';
import { DiskError } from '../../../src/base/files/disk.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { SimDisk } from '../../../src/research/simulation/environment/disk/sim-disk.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (disk: SimDisk, file: string): string | undefined => {
  const found = disk.read(file);
  return found && new TextDecoder().decode(found);
};

describe('a power cut', () => {
  test.each(Array.from({ length: 20 }, (_, seed) => seed))('keeps what was synced, seed %i', (seed) => {
    const disk = new SimDisk();
    disk.append('a', bytes('synced'));
    disk.sync('a');
    disk.append('a', bytes(' and not'));
    disk.powerCut(rngFrom(String(seed)));
    expect(textOf(disk, 'a')).toMatch(/^synced( (a(n(d( (n(ot?)?)?)?)?)?)?)?\0*$/);
    expect(disk.read('a')?.length).toBeLessThanOrEqual('synced and not'.length);
  });

  test('may lose all of what was not synced, or a part of it', () => {
    const lengths = Array.from({ length: 60 }, (_, seed) => {
      const disk = new SimDisk();
      disk.append('a', bytes('12345678'));
      disk.powerCut(rngFrom(String(seed)));
      return disk.read('a')?.length ?? 0;
    });
    expect(Math.min(...lengths)).toBe(0);
    expect(Math.max(...lengths)).toBe(8);
    expect(lengths.some((length) => length > 0 && length < 8)).toBe(true);
  });

  test('never loses what was created or replaced atomically', () => {
    const disk = new SimDisk();
    expect(disk.create('a', bytes('one'))).toBe(true);
    expect(disk.create('a', bytes('two'))).toBe(false);
    disk.replace('b', bytes('three'));
    disk.powerCut(rngFrom('any'));
    expect([textOf(disk, 'a'), textOf(disk, 'b')]).toEqual(['one', 'three']);
  });

  test('may restore the content from before a failed replacement', () => {
    const seen = new Set<string | undefined>();
    for (let seed = 0; seed < 20; seed++) {
      const disk = new SimDisk({ faults: ({ name }) => (name === 'replace' ? { kind: 'broken', written: 1 } : undefined) });
      disk.create('a', bytes('old'));
      expect(() => disk.replace('a', bytes('new'))).toThrow(DiskError);
      disk.powerCut(rngFrom(String(seed)));
      seen.add(textOf(disk, 'a'));
    }
    expect(seen).toEqual(new Set(['old', 'new']));
  });
});

test('after a failed sync no later sync makes those bytes durable', () => {
  let fails = true;
  const durable: string[] = [];
  const disk = new SimDisk({
    faults: ({ name }) => (name === 'sync' && fails ? { kind: 'broken', written: 0 } : undefined),
    onSynced: (_, fresh) => void durable.push(new TextDecoder().decode(fresh)),
  });
  disk.append('a', bytes('lost'));
  expect(() => disk.sync('a')).toThrow(DiskError);
  fails = false;
  disk.sync('a');
  expect(durable).toEqual([]);
});

test('a full disk writes a part of what is appended', () => {
  const disk = new SimDisk({ faults: () => ({ kind: 'full', written: 2 }) });
  expect(() => disk.append('a', bytes('abcd'))).toThrow(/no space/);
  expect(textOf(disk, 'a')).toBe('ab');
});
