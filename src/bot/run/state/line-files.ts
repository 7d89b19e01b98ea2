// Optional files of lines in the state directory: values of inputs, and candles.
import { type Disk, DiskError } from '../../../base/files/disk.ts';

/** A larger file is cut to its newer half. */
const MAX_BYTES = 16 * 2 ** 20;
const LINE_END = 10;

/** The file of an input in the state directory. */
export const inputFile = (name: string): string => `input-${name}.jsonl`;

export class LineFiles {
  readonly #disk: Disk;
  readonly #most: number;
  readonly #sizes = new Map<string, number>();

  constructor(disk: Disk, most = MAX_BYTES) {
    this.#disk = disk;
    this.#most = most;
  }

  /** Appends a line. A line that the disk refuses is lost. */
  add(file: string, line: string): void {
    const bytes = new TextEncoder().encode(`${line}\n`);
    try {
      const size = (this.#sizes.get(file) ?? this.#disk.size(file) ?? 0) + bytes.length;
      this.#disk.append(file, bytes);
      this.#sizes.set(file, size > this.#most ? this.#halve(file) : size);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.#sizes.delete(file);
    }
  }

  /** Returns the lines of a file. The last one is empty, also of a file that is missing. Returns none if the file cannot be read. */
  read(file: string): readonly string[] {
    try {
      return new TextDecoder().decode(this.#disk.read(file) ?? new Uint8Array()).split('\n');
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      return [];
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
