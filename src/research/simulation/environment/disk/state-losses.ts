// Losses of the bot's state directory at a restart: gone, cut short, or as it was some time ago.
import type { Rng } from '../../../../base/rng.ts';
import { fileOf, segmentsIn } from '../../../../bot/journal/segment.ts';
import type { InjectedFault } from '../../plan/faults.ts';
import type { SimDisk } from './sim-disk.ts';

/** The key of the session, which lies in the same directory. */
export const SESSION_KEY = 'session.key';
const NEWLINE = 0x0a;

export class StateLosses {
  readonly #disk: SimDisk;
  readonly #copies = new Map<string, ReadonlyMap<string, Uint8Array>>();

  constructor(disk: SimDisk) {
    this.#disk = disk;
  }

  /** Keeps a copy of the directory, for the fault that will restore it. */
  keep({ id }: InjectedFault): void {
    this.#copies.set(id, this.#disk.copy());
  }

  /**
   * Loses what `detail` says: `gone` all, `old` all since `keep`, otherwise the end of the newest segment. `freshKey` makes the session key of a new
   * directory.
   */
  lose({ id, detail }: InjectedFault, { rng, freshKey }: { rng: Rng; freshKey: () => Uint8Array }): void {
    const files = new Map(this.#disk.copy());
    const newest = segmentsIn(this.#disk).at(-1);
    if (detail === 'gone') this.#disk.restore(new Map([[SESSION_KEY, freshKey()]]));
    else if (detail === 'old') this.#disk.restore(this.#copies.get(id) ?? files);
    else if (newest !== undefined) {
      const name = fileOf(newest);
      this.#disk.restore(files.set(name, cutShort(files.get(name) ?? new Uint8Array(), rng)));
    }
  }
}

/** Cuts the file somewhere after its first line. */
function cutShort(bytes: Uint8Array, rng: Rng): Uint8Array {
  const first = bytes.indexOf(NEWLINE) + 1;
  return bytes.slice(0, first + rng.below(Math.max(1, bytes.length - first)));
}
