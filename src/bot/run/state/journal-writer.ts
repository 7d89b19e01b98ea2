// Writes entries to the journal. Keeps them in memory while the disk fails, and uses reserved space when it is full.
import type { Clock, Millis } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { DiskError } from '../../../base/files/disk.ts';
import type { JournalReserve } from '../../journal/journal.ts';
import type { Entry } from './entries.ts';

/** Interval between tries after a failure; before an action is sent, the disk is tried at once. */
const RETRY_AFTER: Millis = 1_000;
/** Maximum number of entries that wait for the next write; beyond it, findings are dropped. */
const MAX_WAITING = 10_000;

export interface JournalWriterOptions {
  /** Throws a DiskError if the entries cannot be made durable. */
  readonly write: (entries: readonly Entry[]) => void;
  readonly reserve: JournalReserve;
  readonly clock: Clock;
}

export class JournalWriter {
  /** Why the journal cannot be written, or only into its reserve; undefined if there is no problem. */
  trouble: string | undefined;
  readonly #options: JournalWriterOptions;
  #waiting: readonly Entry[] = [];
  #triedAt: Millis = 0;
  /** Time of the last try to allocate the reserve again. */
  #restoredAt: Millis = 0;
  /** True if the reserve has been used; it must be allocated again before any order is placed. */
  #freed = false;

  constructor(options: JournalWriterOptions) {
    this.#options = options;
  }

  /** Writes the entries, or keeps them for the next write while the disk fails. */
  append(entries: readonly Entry[]): void {
    const tooSoon = this.trouble !== undefined && !this.#freed && this.#options.clock.now() < this.#triedAt + RETRY_AFTER;
    try {
      if (!tooSoon) return this.write(entries);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
    this.hold(entries);
  }

  /** Keeps the entries for the next write. */
  hold(entries: readonly Entry[]): void {
    this.#waiting = [...this.#waiting, ...entries];
    if (this.#waiting.length > MAX_WAITING) this.#waiting = this.#waiting.filter(({ kind }) => kind !== 'finding');
  }

  /**
   * Writes these entries and all waiting ones. If writing fails, throws and does not keep the given entries. While the reserve is in use no order is
   * written, so none is sent: the reserve is for cancels and answers.
   */
  write(entries: readonly Entry[]): void {
    this.#restore();
    if (this.#freed && entries.some(isPlacement)) throw new DiskError('full', this.trouble ?? 'no space is left');
    const all = [...this.#waiting, ...entries];
    if (all.length === 0 && this.trouble === undefined) return;
    this.#triedAt = this.#options.clock.now();
    try {
      this.#writeWithReserve(all);
      this.#waiting = [];
      if (!this.#freed) this.trouble = undefined;
    } catch (error) {
      this.trouble = messageOf(error);
      throw error;
    }
    if (this.#freed && entries.some(isPlacement)) throw new DiskError('full', this.trouble ?? 'no space is left');
  }

  /** Writes the entries. On a full disk, frees the reserve and writes them without the placements. */
  #writeWithReserve(all: readonly Entry[]): void {
    const { write, reserve } = this.#options;
    try {
      write(all);
    } catch (error) {
      if (!(error instanceof DiskError) || error.kind !== 'full' || this.#freed || !reserve.free()) throw error;
      [this.#freed, this.#restoredAt] = [true, this.#options.clock.now()];
      this.trouble = messageOf(error);
      write(all.filter((entry) => !isPlacement(entry)));
    }
  }

  /** Tries to allocate the reserve again, at most once per RETRY_AFTER. */
  #restore(): void {
    const { reserve, clock } = this.#options;
    if (!this.#freed || clock.now() < this.#restoredAt + RETRY_AFTER) return;
    this.#restoredAt = clock.now();
    this.#freed = !reserve.keep();
    if (!this.#freed) this.trouble = undefined;
  }
}

const isPlacement = (entry: Entry): boolean => entry.kind === 'sent' && entry.action === 'place';
