// Disk space reserved for the journal: freed when the disk is full, so that cancels and answers can still be recorded. Nothing is placed meanwhile:
// `bot/run/state/journal-writer.ts`.
import { type Disk, DiskError } from '../../base/files/disk.ts';

const FILE = 'reserve-journal';
const BYTES = 2 ** 20;

export class JournalReserve {
  readonly #disk: Disk;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Allocates the space, unless it is allocated already. Returns false if the disk has too little space left. */
  keep(): boolean {
    try {
      if ((this.#disk.size(FILE) ?? 0) < BYTES) this.#disk.replace(FILE, new Uint8Array(BYTES));
      return true;
    } catch (error) {
      if (error instanceof DiskError) return false;
      throw error;
    }
  }

  /** Frees the space. Returns false if none was allocated. */
  free(): boolean {
    try {
      if (this.#disk.size(FILE) === undefined) return false;
      this.#disk.remove(FILE);
      return true;
    } catch (error) {
      if (error instanceof DiskError) return false;
      throw error;
    }
  }
}
