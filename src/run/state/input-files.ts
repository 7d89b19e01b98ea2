// What a run saw of its inputs, one file each, in the lines that a backtest reads.
import { type Disk, DiskError } from '../../base/files/disk.ts';

/** A file that is larger keeps its newer half. */
const MOST_BYTES = 16 * 2 ** 20;
const LINE_END = 10;

/** The file of an input in the state directory. */
export const inputFile = (name: string): string => `input-${name}.jsonl`;

export class InputFiles {
  readonly #disk: Disk;
  readonly #most: number;
  readonly #sizes = new Map<string, number>();

  constructor(disk: Disk, most = MOST_BYTES) {
    this.#disk = disk;
    this.#most = most;
  }

  /** Appends a line. What the disk refuses is lost: the file is for analysis, and the run does not need it. */
  add(name: string, line: string): void {
    const file = inputFile(name);
    const bytes = new TextEncoder().encode(`${line}\n`);
    try {
      const size = (this.#sizes.get(name) ?? this.#disk.size(file) ?? 0) + bytes.length;
      this.#disk.append(file, bytes);
      this.#sizes.set(name, size > this.#most ? this.#halve(file) : size);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.#sizes.delete(name);
    }
  }

  /** Returns the new size. */
  #halve(file: string): number {
    const all = this.#disk.read(file) ?? new Uint8Array();
    const rest = all.subarray(all.indexOf(LINE_END, all.length >> 1) + 1);
    this.#disk.replace(file, rest);
    return rest.length;
  }
}
