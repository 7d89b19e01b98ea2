// Time series as columns: eight bytes per number, and a row only for a change.
import type { Millis } from '../../../base/clock.ts';

/** A growing list of numbers. Its capacity doubles when it is full. */
export class GrowingColumn {
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

  /** Returns a view, valid until the next push. */
  values(): Float64Array {
    return this.#data.subarray(0, this.#count);
  }
}

/** Default time after which a value that was not observed again is unknown. A run with slower polling sets its own. */
export const FRESH_MS: Millis = 5_000;

/**
 * Values observed over time, one row per change. `times` has the time a row was first observed, `untils` the last one. A new row also begins if
 * nothing was observed for longer than `freshMs`. Times never decrease; NaN stands for a missing number.
 */
export class Steps<Name extends string> {
  readonly freshMs: Millis;
  readonly #names: readonly Name[];
  readonly #times = new GrowingColumn();
  readonly #untils = new GrowingColumn();
  readonly #columns: ReadonlyMap<Name, GrowingColumn>;

  constructor(names: readonly Name[], freshMs: Millis = FRESH_MS) {
    this.freshMs = freshMs;
    this.#names = names;
    this.#columns = new Map(names.map((name) => [name, new GrowingColumn()]));
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

  /** Returns the row of the newest observation at or before `time`; undefined if there is none, or it is older than `maxAge`. */
  rowAt(time: Millis, maxAge: Millis): number | undefined {
    const row = lastAtOrBefore(this.times, time);
    return row >= 0 && time - this.#untils.at(row) <= maxAge ? row : undefined;
  }

  #isSame(index: number, row: Readonly<Record<Name, number>>): boolean {
    return this.#names.every((name) => Object.is(this.#columns.get(name)!.at(index), row[name]));
  }
}

/** Returns the index of the last of the ascending `times` that is at or before `time`; -1 if all are later. */
function lastAtOrBefore(times: Float64Array, time: Millis): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
