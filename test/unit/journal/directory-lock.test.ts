// One writer per directory: a second one is refused, whatever the process ids are, and the lock of a dead process blocks nobody.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { type Holder, holderIn, type ProcessLock, takeLock } from '../../../src/bot/journal/directory-lock.ts';
import { MemoryDisk } from './memory-disk.ts';

const holder = (pid: number, started = '100', boot = 'b'): Holder => ({ pid, started, boot });

/** A lock of the operating system, which ends with its process. */
class SystemLock {
  #holder: number | undefined;
  readonly living = new Set<string>();

  kill({ pid }: Holder): void {
    if (this.#holder === pid) this.#holder = undefined;
    this.living.clear();
  }

  options(self: Holder) {
    this.living.add(JSON.stringify(self));
    const exclude = (): ProcessLock | undefined => {
      if (this.#holder !== undefined) return undefined;
      this.#holder = self.pid;
      return { isHeld: () => this.#holder === self.pid, release: () => void (this.#holder = undefined) };
    };
    return { self, exclude, alive: (other: Holder) => this.living.has(JSON.stringify(other)) };
  }
}

describe('a lock', () => {
  test('that another process holds is refused, with its process id', () => {
    const [disk, system] = [new MemoryDisk(), new SystemLock()];
    takeLock(disk, system.options(holder(7)));
    expect(() => takeLock(disk, system.options(holder(8)))).toThrow(UserError);
    expect(() => takeLock(disk, system.options(holder(8)))).toThrow('another process uses this state directory: process 7');
  });

  test('is refused although no process with that id is visible, as in another process namespace', () => {
    const [disk, system] = [new MemoryDisk(), new SystemLock()];
    takeLock(disk, system.options(holder(7)));
    system.living.clear();
    expect(() => takeLock(disk, { ...system.options(holder(7, '300')), alive: () => false })).toThrow(/process 7/);
  });

  test('that was released is free, although the process lives, and its id is removed', () => {
    const [disk, system] = [new MemoryDisk(), new SystemLock()];
    const lock = takeLock(disk, system.options(holder(7)));
    lock.release();
    expect([lock.isHeld(), holderIn(disk)]).toEqual([false, undefined]);
    takeLock(disk, system.options(holder(8)));
    expect(holderIn(disk)).toEqual(holder(8));
  });

  test.each([holder(8), holder(7, '200'), holder(7, '100', 'after a restart of the machine')])(
    'of a dead process is taken over by %o',
    (next) => {
      const [disk, system] = [new MemoryDisk(), new SystemLock()];
      takeLock(disk, system.options(holder(7)));
      system.kill(holder(7));
      takeLock(disk, system.options(next));
      expect(holderIn(disk)).toEqual(next);
    },
  );

  test('with an invalid file is taken, because the operating system knows the holder', () => {
    const disk = new MemoryDisk();
    disk.replace('lock-000003', Buffer.from('{'));
    takeLock(disk, new SystemLock().options(holder(7)));
    expect([disk.list(), holderIn(disk)]).toEqual([['lock-000001'], holder(7)]);
  });

  test('of a process of an earlier version, which has no system lock, is respected while that process lives', () => {
    const [disk, system] = [new MemoryDisk(), new SystemLock()];
    disk.replace('lock-000004', Buffer.from(JSON.stringify(holder(7))));
    system.options(holder(7));
    expect(() => takeLock(disk, system.options(holder(8)))).toThrow(/process 7/);
    system.kill(holder(7));
    takeLock(disk, system.options(holder(8)));
    expect(disk.list()).toEqual(['lock-000001']);
  });

  test('is released if its file cannot be written', () => {
    const system = new SystemLock();
    const disk = Object.assign(new MemoryDisk(), {
      replace: () => {
        throw new Error('no space is left');
      },
    });
    expect(() => takeLock(disk, system.options(holder(7)))).toThrow('no space is left');
    takeLock(new MemoryDisk(), system.options(holder(8)));
  });
});
