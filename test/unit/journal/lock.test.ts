// One writer a directory: whoever comes second is refused, and of several that find the holder dead, one goes on.
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../../src/base/disk.ts';
import { UserError } from '../../../src/base/errors.ts';
import { type Holder, takeLock } from '../../../src/journal/lock.ts';
import { MemoryDisk } from './memory-disk.ts';

const holder = (pid: number, started = '100', boot = 'b'): Holder => ({ pid, started, boot });

/** Which processes live. */
class Machine {
  readonly #living: Holder[] = [];

  start(self: Holder): Holder {
    this.#living.push(self);
    return self;
  }
  kill(self: Holder): void {
    this.#living.splice(this.#living.indexOf(self), 1);
  }
  readonly alive = ({ pid, started, boot }: Holder): boolean =>
    this.#living.some((one) => one.pid === pid && one.started === started && one.boot === boot);
}

const take = (disk: Disk, machine: Machine, self: Holder) => takeLock(disk, { self, alive: machine.alive });

describe('a lock', () => {
  test('that a living process holds is refused, with its number', () => {
    const [disk, machine] = [new MemoryDisk(), new Machine()];
    take(disk, machine, machine.start(holder(7)));
    expect(() => take(disk, machine, machine.start(holder(8)))).toThrow(UserError);
    expect(() => take(disk, machine, holder(8))).toThrow('another process trades with this state directory: process 7');
    expect(disk.list()).toEqual(['lock-000001']);
  });

  test('that was released is free, though the process lives', () => {
    const [disk, machine] = [new MemoryDisk(), new Machine()];
    const self = machine.start(holder(7));
    take(disk, machine, self).release();
    take(disk, machine, machine.start(holder(8)));
    expect(disk.list()).toEqual(['lock-000002']);
    expect(() => take(disk, machine, self)).toThrow(/process 8/);
  });

  test('of a dead process is taken over', () => {
    const [disk, machine] = [new MemoryDisk(), new Machine()];
    const first = machine.start(holder(7));
    take(disk, machine, first);
    machine.kill(first);
    take(disk, machine, machine.start(holder(8)));
    expect(() => take(disk, machine, holder(9))).toThrow(/process 8/);
  });

  test.each([holder(7, '200'), holder(7, '100', 'c')])('of a dead process whose number another has now is taken over: %o', (reused) => {
    const [disk, machine] = [new MemoryDisk(), new Machine()];
    const first = machine.start(holder(7));
    take(disk, machine, first);
    machine.kill(first);
    machine.start(reused);
    take(disk, machine, reused);
    expect(disk.list()).toEqual(['lock-000002']);
  });

  test('that is damaged is for a person to look at', () => {
    const disk = new MemoryDisk();
    disk.replace('lock-000003', Buffer.from('{'));
    expect(() => take(disk, new Machine(), holder(7))).toThrow('lock-000003: the lock is damaged');
  });
});

/** Before the call of this disk's `create`, somebody else does something. */
const interrupted = (disk: MemoryDisk, meanwhile: () => void): Disk => {
  let left = 1;
  return Object.assign(disk.copy(), {
    files: disk.files,
    create: (file: string, bytes: Uint8Array) => {
      if (left-- > 0) meanwhile();
      return disk.create(file, bytes);
    },
  });
};

describe('three that find the holder dead', () => {
  test('at the same moment: one has it after, whoever it is', () => {
    const [disk, machine] = [new MemoryDisk(), new Machine()];
    const dead = machine.start(holder(1));
    take(disk, machine, dead);
    machine.kill(dead);
    const racers = [2, 3, 4].map((pid) => machine.start(holder(pid)));
    const winners: number[] = [];
    const race = (at: number): void => {
      const self = racers[at];
      if (self === undefined) return;
      try {
        take(
          interrupted(disk, () => race(at + 1)),
          machine,
          self,
        );
        winners.push(self.pid);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
      }
    };
    race(0);
    expect(winners).toEqual([4]);
    expect(disk.list()).toEqual(['lock-000002']);
  });

  test('while another takes it, releases it, and a third takes it again', () => {
    const [disk, machine] = [new MemoryDisk(), new Machine()];
    const dead = machine.start(holder(1));
    take(disk, machine, dead);
    machine.kill(dead);
    const slow = interrupted(disk, () => {
      take(disk, machine, machine.start(holder(2))).release();
      take(disk, machine, machine.start(holder(3)));
    });
    expect(() => take(slow, machine, machine.start(holder(4)))).toThrow(/process 3/);
  });
});
