// Which simulated processes live, and which of them has the lock of the state directory: as the system would say.
import type { LockOptions } from '../../../journal/lock.ts';

/** The lock is free when the process that has it has released it or is dead. */
export class ProcessTable {
  readonly #living: ReadonlySet<number>;
  #lockedBy: number | undefined;

  /** `living` are the numbers of those that live. */
  constructor(living: ReadonlySet<number>) {
    this.#living = living;
  }

  /** As a process sees it. */
  of(number: number): LockOptions {
    return {
      self: { pid: number, started: String(number), boot: 'sim' },
      alive: ({ pid, boot }) => boot === 'sim' && this.#living.has(pid),
      exclude: () => {
        if (this.#lockedBy !== undefined && this.#living.has(this.#lockedBy)) return undefined;
        this.#lockedBy = number;
        return { isHeld: () => this.#lockedBy === number, release: () => this.#release(number) };
      },
    };
  }

  #release(number: number): void {
    if (this.#lockedBy === number) this.#lockedBy = undefined;
  }
}
