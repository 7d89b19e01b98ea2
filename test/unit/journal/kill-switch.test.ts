// The kill switch: the strictest mode counts, wherever it was written, and it can be written on a full disk.
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Disk, DiskError } from '../../../src/base/files/disk.ts';
import { nodeDisk } from '../../../src/base/files/node-disk.ts';
import { MODES, type Mode } from '../../../src/bot/domain/mode.ts';
import { KillSwitch } from '../../../src/bot/journal/kill-switch.ts';
import { SimDisk } from '../../../src/research/simulation/environment/disk/sim-disk.ts';
import { MemoryDisk } from './memory-disk.ts';

const cause = (reason: string) => ({ reason, at: '2026-01-02T03:04:05.678Z', by: 'kill' });
const RAISED = MODES.filter((mode) => mode !== 'active');
const PAIRS = RAISED.flatMap((first) => RAISED.map((second) => [first, second] as const));

const full = (): never => {
  throw new DiskError('full', 'no space is left');
};

/** A disk that is full after its reserve was made: calls that need space fail. */
function filledUp(disk: Disk): Disk {
  new KillSwitch(disk).reserve();
  return {
    read: (file) => disk.read(file),
    size: (file) => disk.size(file),
    list: () => disk.list(),
    append: full,
    sync: (file) => disk.sync(file),
    create: full,
    replace: full,
    overwrite: (file, at, bytes) => disk.overwrite(file, at, bytes),
    remove: (file) => disk.remove(file),
  };
}

const DISKS: readonly (readonly [string, () => Disk])[] = [
  ['memory', () => new MemoryDisk()],
  ['simulation', () => new SimDisk()],
  ['file system', () => nodeDisk(mkdtempSync(join(tmpdir(), 'latch-')))],
];

describe.each(DISKS)('%s', (_, make) => {
  test.each(PAIRS)('%s, then %s: the stricter one counts, with its own cause', (first, second) => {
    for (const disk of [make(), filledUp(make())]) {
      const latch = new KillSwitch(disk);
      latch.raise(first, cause(first));
      latch.raise(second, cause(second));
      const strictest = MODES.indexOf(first) > MODES.indexOf(second) ? first : second;
      expect(new KillSwitch(disk).get()).toEqual({ mode: strictest, cause: cause(strictest) });
    }
  });

  test('a full disk takes it into the reserve, and a release removes it', () => {
    const disk = filledUp(make());
    const latch = new KillSwitch(disk);
    expect(latch.get()).toEqual({ mode: 'active' });
    latch.raise('cancel-all', cause('disk full'));
    expect([new KillSwitch(disk).get().mode, new KillSwitch(disk).pending()?.cause?.reason]).toEqual(['cancel-all', 'disk full']);
    latch.release();
    expect(new KillSwitch(disk).get()).toEqual({ mode: 'active' });
  });

  test('a reason longer than its slot is cut; the mode counts', () => {
    const disk = filledUp(make());
    new KillSwitch(disk).raise('halted', cause('é'.repeat(2_000)));
    const latched = new KillSwitch(disk).get();
    expect([latched.mode, latched.cause?.by]).toEqual(['halted', 'kill']);
    expect(latched.cause?.reason).toMatch(/^é{150,}$/);
  });

  test('a milder file beside a stricter slot changes nothing, and vice versa', () => {
    const disk = make();
    const full = filledUp(disk);
    new KillSwitch(disk).raise('close-only', cause('a'));
    new KillSwitch(full).raise('cancel-all', cause('b'));
    expect(new KillSwitch(disk).get()).toEqual({ mode: 'cancel-all', cause: cause('b') });
    new KillSwitch(disk).raise('flatten', cause('c'));
    expect(new KillSwitch(full).get()).toEqual({ mode: 'flatten', cause: cause('c') });
  });
});

test('without a reserve a full disk refuses it, with the reason', () => {
  const disk = new MemoryDisk();
  disk.create = full;
  expect(() => new KillSwitch(disk).raise('cancel-all', cause('x'))).toThrow('no space is left');
  expect(new KillSwitch(disk).get().mode).toBe('active');
});

test('a file that a person made sets it, whatever its content', () => {
  const directory = mkdtempSync(join(tmpdir(), 'latch-'));
  writeFileSync(join(directory, 'LATCH-cancel-all'), '');
  expect(new KillSwitch(nodeDisk(directory)).get()).toEqual({ mode: 'cancel-all', cause: undefined });
});

test('its reserve is allocated once, for this user alone', () => {
  const directory = mkdtempSync(join(tmpdir(), 'latch-'));
  const latch = new KillSwitch(nodeDisk(directory));
  latch.reserve();
  const before = statSync(join(directory, 'latch-reserve'));
  latch.raise('halted' satisfies Mode, cause('x'));
  latch.reserve();
  const after = statSync(join(directory, 'latch-reserve'));
  expect([after.ino, after.size, after.mode & 0o777]).toEqual([before.ino, before.size, 0o600]);
  expect(before.blocks).toBeGreaterThan(0);
});
