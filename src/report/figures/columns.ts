// Numbers over time, kept as columns: eight bytes a number, and a row only where something changed.
import type { Millis } from '../../base/clock.ts';

/** Numbers in the order of their arrival; the room for them doubles when it is full. */
export class Column {
  #data = new Float64Array(64);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  push(value: number): void {
    if (this.#count === this.#data.length) {
      const larger = new Float64Array(this.#count * 2);
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data[this.#count++] = value;
  }

  at(index: number): number {
    return this.#data[index]!;
  }

  set(index: number, value: number): void {
    this.#data[index] = value;
  }

  /** A view, good until the next push. */
  values(): Float64Array {
    return this.#data.subarray(0, this.#count);
  }
}

/** Not looked at for longer than this, a value is not known any more; where looks are farther apart, whoever keeps it says for how long. */
export const FRESH_MS: Millis = 5_000;

/**
 * What was seen again and again, one row a change: `untils` says when a row was last seen to be still so. A row also begins where nothing was seen
 * for longer than `freshMs`. Times never descend; NaN stands for a number that was not there.
 */
export class Steps<Name extends string> {
  readonly freshMs: Millis;
  readonly #names: readonly Name[];
  readonly #times = new Column();
  readonly #untils = new Column();
  readonly #columns: ReadonlyMap<Name, Column>;

  constructor(names: readonly Name[], freshMs: Millis = FRESH_MS) {
    this.freshMs = freshMs;
    this.#names = names;
    this.#columns = new Map(names.map((name) => [name, new Column()]));
  }

  get count(): number {
    return this.#times.count;
  }

  get times(): Float64Array {
    return this.#times.values();
  }

  get untils(): Float64Array {
    return this.#untils.values();
  }

  column(name: Name): Float64Array {
    return this.#columns.get(name)!.values();
  }

  see(time: Millis, row: Readonly<Record<Name, number>>): void {
    const last = this.count - 1;
    if (last >= 0 && time - this.#untils.at(last) <= this.freshMs && this.#isSame(last, row)) return this.#untils.set(last, time);
    this.#times.push(time);
    this.#untils.push(time);
    for (const name of this.#names) this.#columns.get(name)!.push(row[name]);
  }

  /** The row of the newest look at or before `time`; undefined where that look was more than `maxAge` earlier, or there was none. */
  rowAt(time: Millis, maxAge: Millis): number | undefined {
    const row = lastAtOrBefore(this.times, time);
    return row >= 0 && time - this.#untils.at(row) <= maxAge ? row : undefined;
  }

  #isSame(index: number, row: Readonly<Record<Name, number>>): boolean {
    return this.#names.every((name) => Object.is(this.#columns.get(name)!.at(index), row[name]));
  }
}

/** The index of the last of the ascending `times` that is not after `time`; -1 where all are. */
function lastAtOrBefore(times: Float64Array, time: Millis): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
