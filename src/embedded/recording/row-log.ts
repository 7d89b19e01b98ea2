// A log of the newest rows of a paper run's tapes, as they are played: rows that a tape had not written when the process was killed are restored from
// it.

import type { Disk } from '../../base/files/disk.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import type { Row } from '../rows/row-builder.ts';

const NAME = /^paper-rows-(\d+)\.jsonl$/;

/** Rows of one tape: the number of rows before them, and each as time, lag, code, price and size. */
interface Batch {
  readonly tape: number;
  readonly before: number;
  readonly rows: readonly (readonly [time: number, lag: number, code: number, price: number, size: number])[];
}

/** Starts a new file at each checkpoint of the tapes and removes the older ones after it. Survives the end of the process, but not a power cut. */
export class RowLog {
  readonly #disk: Disk;
  #file: number;

  constructor(disk: Disk) {
    this.#disk = disk;
    this.#file = Math.max(0, ...filesIn(disk).map(numberOf)) + 1;
  }

  /** Adds rows of a tape; `before` is the tape's number of rows without them. */
  add(tape: number, before: number, rows: readonly Row[]): void {
    const batch: Batch = { tape, before, rows: rows.map(({ time, lag, code, price, size }) => [time, lag, code, price, size]) };
    this.#disk.append(nameOf(this.#file), Buffer.from(`${JSON.stringify(batch)}\n`));
  }

  /** Begins a new file. Returns a function that removes all earlier ones. */
  next(): () => void {
    const old = filesIn(this.#disk);
    this.#file += 1;
    return () => {
      for (const file of old) this.#disk.remove(file);
    };
  }
}

/** Returns the rows that a tape with this number of rows lacks. */
export function rowsAfter(disk: Disk, tape: number, rows: number): readonly Row[] {
  const missing: Row[] = [];
  for (const file of filesIn(disk)) {
    for (const batch of batchesIn(disk.read(file))) {
      if (batch.tape !== tape) continue;
      const alreadyThere = rows + missing.length - batch.before;
      for (const [time, lag, code, price, size] of batch.rows.slice(Math.max(0, alreadyThere)))
        missing.push({ time, lag, code, price, size });
    }
  }
  return missing;
}

/** Returns the batches of a file. A last line truncated by the end of the process is omitted. */
function batchesIn(bytes: Uint8Array | undefined): readonly Batch[] {
  const lines = new TextDecoder().decode(bytes).split('\n');
  lines.pop();
  return lines.map((line) => readJson(line, JSON_LIMITS.state) as Batch);
}

const nameOf = (file: number): string => `paper-rows-${String(file).padStart(6, '0')}.jsonl`;
const numberOf = (name: string): number => Number(NAME.exec(name)?.[1]);
const filesIn = (disk: Disk): readonly string[] => disk.list().filter((name) => NAME.test(name));
