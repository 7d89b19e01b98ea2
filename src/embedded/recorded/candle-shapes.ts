// Ways that a price may have taken inside a candle: cut from random walks, so that no part of a way says anything about the rest of it.
import { rngFrom } from '../../base/rng.ts';

/** Steps of each walk: a multiple of the numbers of looks. */
export const STEPS = 240;
/** Each walk serves twice: as it is, and mirrored. */
const WALKS = 10_000;
/** One of so many nearest walks is taken. */
const NEAREST = 8;
/** Cells a side of the index over open and close, and over the size of the range. */
const CELLS = 32;
const SIZES = 8;
/** The log of a range, relative to its mean, beyond which walks are no longer distinguished: about three standard deviations. */
const WIDEST = 0.9;

/** A candle without its scale. */
export interface Form {
  /** `(open − low) / (high − low)`. */
  readonly open: number;
  /** `(close − low) / (high − low)`. */
  readonly close: number;
  /** `log(range) − mean of log(range)`. A wide candle has another way than a narrow one with the same open and close. */
  readonly size: number;
}

/**
 * A library of random walks, in which a candle finds those that are most like it. A straight way, or a fixed order of the extremes, could be predicted:
 * strategies that follow the last move, or bet against the first, would earn on prices that are pure chance.
 */
export class CandleShapes {
  /** The walks one after another, STEPS + 1 values each, from 0 at the low to 1 at the high. */
  readonly #values = new Float32Array(WALKS * (STEPS + 1));
  /** Of each walk, the mirrored ones after the others. */
  readonly #forms: readonly Form[];
  readonly #cells: readonly (readonly number[])[];
  /** The nearest that were found last, and how far they are. */
  readonly #nearest = new Int32Array(NEAREST);
  readonly #distances = new Float64Array(NEAREST);

  static #library: CandleShapes | undefined;

  /** The library of this process. It is always the same one, and making it takes a sixth of a second. */
  static get library(): CandleShapes {
    CandleShapes.#library ??= new CandleShapes();
    return CandleShapes.#library;
  }

  private constructor() {
    const rng = rngFrom('candle shapes');
    const logs = new Float64Array(WALKS);
    for (let walk = 0; walk < WALKS; walk++) logs[walk] = this.#draw(walk, () => rng.normal());
    const mean = logs.reduce((sum, value) => sum + value, 0) / WALKS;
    const forms: Form[] = [];
    for (let walk = 0; walk < WALKS; walk++)
      forms.push({ open: this.#at(walk, 0), close: this.#at(walk, STEPS), size: logs[walk]! - mean });
    for (let walk = 0; walk < WALKS; walk++)
      forms.push({ open: 1 - forms[walk]!.open, close: 1 - forms[walk]!.close, size: forms[walk]!.size });
    this.#forms = forms;
    const cells: number[][] = Array.from({ length: CELLS * CELLS * SIZES }, () => []);
    for (const [walk, form] of forms.entries()) cells[cellOf(form)]!.push(walk);
    this.#cells = cells;
  }

  /**
   * Writes the way of a candle into `way`: STEPS + 1 values from 0 at the low to 1 at the high, of which the first is its open and the last its close.
   * `lot` in [0, 1) chooses one of the walks that are most like it.
   */
  wayOf(form: Form, lot: number, way: Float64Array): void {
    const walk = this.#nearest[Math.floor(lot * this.#findNearest(form))]!;
    const of = this.#forms[walk]!;
    const [atOpen, atClose] = [form.open - of.open, form.close - of.close];
    let [low, high] = [0, 0];
    const [base, sign] = walk < WALKS ? [0, 1] : [1, -1];
    const start = (walk % WALKS) * (STEPS + 1);
    for (let step = 0; step <= STEPS; step++) {
      const plain = base + sign * this.#values[start + step]!;
      if (plain === 0) low = step;
      if (plain === 1) high = step;
      const value = plain + atOpen + ((atClose - atOpen) * step) / STEPS;
      way[step] = value > 1 ? 1 : value < 0 ? 0 : value;
    }
    [way[low], way[high]] = [0, 1];
    [way[0], way[STEPS]] = [form.open, form.close];
  }

  /** Draws a walk and returns the log of its range. */
  #draw(walk: number, normal: () => number): number {
    const path = new Float64Array(STEPS + 1);
    let [low, high] = [0, 0];
    for (let step = 1; step <= STEPS; step++) {
      path[step] = path[step - 1]! + normal();
      low = Math.min(low, path[step]!);
      high = Math.max(high, path[step]!);
    }
    for (let step = 0; step <= STEPS; step++) this.#values[walk * (STEPS + 1) + step] = (path[step]! - low) / (high - low);
    return Math.log(high - low);
  }

  #at(walk: number, step: number): number {
    return this.#values[walk * (STEPS + 1) + step]!;
  }

  /** Finds the walks nearest to a form, from its cell and the cells around it, and from farther ones if those are too few. Returns how many. */
  #findNearest(form: Form): number {
    const [open, close, size] = [cellAlong(form.open, CELLS), cellAlong(form.close, CELLS), cellAlong(sizeShare(form), SIZES)];
    let found = 0;
    for (let ring = 1; found < NEAREST; ring++) {
      found = 0;
      for (let a = Math.max(0, open - ring); a <= Math.min(CELLS - 1, open + ring); a++)
        for (let b = Math.max(0, close - ring); b <= Math.min(CELLS - 1, close + ring); b++)
          for (let c = Math.max(0, size - ring); c <= Math.min(SIZES - 1, size + ring); c++)
            for (const walk of this.#cells[(a * CELLS + b) * SIZES + c]!)
              found = this.#keep(walk, distance(form, this.#forms[walk]!), found);
    }
    return found;
  }

  /** Puts a walk among the nearest so far, which are in order of distance. Returns how many they are. */
  #keep(walk: number, away: number, found: number): number {
    let place = found;
    while (place > 0 && this.#distances[place - 1]! > away) place--;
    if (place === NEAREST) return found;
    for (let at = Math.min(found, NEAREST - 1); at > place; at--) {
      this.#nearest[at] = this.#nearest[at - 1]!;
      this.#distances[at] = this.#distances[at - 1]!;
    }
    this.#nearest[place] = walk;
    this.#distances[place] = away;
    return Math.min(NEAREST, found + 1);
  }
}

const sizeShare = ({ size }: Form): number => (size + WIDEST) / (2 * WIDEST);
const cellAlong = (share: number, cells: number): number => Math.min(cells - 1, Math.max(0, Math.floor(share * cells)));
const cellOf = (form: Form): number =>
  (cellAlong(form.open, CELLS) * CELLS + cellAlong(form.close, CELLS)) * SIZES + cellAlong(sizeShare(form), SIZES);
const distance = (one: Form, other: Form): number =>
  (one.open - other.open) ** 2 + (one.close - other.close) ** 2 + (one.size - other.size) ** 2;
