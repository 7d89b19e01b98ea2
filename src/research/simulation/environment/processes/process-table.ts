// Which simulated processes live, and which of them holds the lock of the state directory, as the system would report it.
import type { LockOptions } from '../../../../bot/journal/directory-lock.ts';

/** The lock is free if the process that had it has released it or is dead. */
export class ProcessTable {
  readonly #living: ReadonlySet<number>;
  #lockedBy: number | undefined;

  /** `living` are the numbers of the living processes. */
  constructor(living: ReadonlySet<number>) {
    this.#living = living;
  }

  /** The lock options of one process. */
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
