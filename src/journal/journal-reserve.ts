// Space on the disk that is kept for the journal: given back when the disk is full, so that what was sent and what came back can still be written down.
import { type Disk, DiskError } from '../base/disk.ts';

const FILE = 'reserve-journal';
const BYTES = 2 ** 20;

export class JournalReserve {
  readonly #disk: Disk;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Allocates it, unless it is there already. False where the disk has no room for it. */
  keep(): boolean {
    try {
      if ((this.#disk.size(FILE) ?? 0) < BYTES) this.#disk.replace(FILE, new Uint8Array(BYTES));
      return true;
    } catch (error) {
      if (error instanceof DiskError) return false;
      throw error;
    }
  }

  /** Gives it back to the disk. False where there was none. */
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
