// What was told in order of receipt, put into order of exchange time: held back until nothing older can be expected.
import { Heap } from '../../base/heap.ts';
import type { Stamp } from '../../domain/rows.ts';
import { createSample } from './sample.ts';
import type { Told } from './told.ts';

/** How much later than something younger a message may be heard, in exchange time. */
const WINDOW: Stamp = 10_000_000;
/** Messages held back at most; beyond it the oldest go on early. */
const MOST_HELD = 1 << 16;

/** Of messages of one time: a trade happens before the book that shows what it left, and a candle opens once funding is settled. */
const RANK: Readonly<Record<Told['kind'], number>> = { settlement: 0, marks: 1, trade: 2, book: 3, best: 4, candle: 5, other: 6 };

export interface OrderingChecks {
  /** Messages heard after one of a later exchange time, and put before it. */
  readonly mended: number;
  /** Books and settlements heard later than could be mended: they stand at the time when they could. */
  readonly late: number;
  /** Time of receipt less exchange time. */
  readonly skew: { readonly least: Stamp; readonly median: Stamp } | undefined;
}

export interface Ordering {
  readonly hear: (told: Told) => void;
  /** Lets out what is held back. */
  end(): void;
  checks(): OrderingChecks;
}

export interface OrderingOptions {
  readonly out: (told: Told) => void;
  /** What is too late, and of no use then. */
  readonly tooLate: (told: Told) => void;
  /** Kinds that are counted; a best bid and ask that a book is only checked against is not. */
  readonly counted: (told: Told) => boolean;
}

/** What goes on from what was told before: its order is the exchange's own, and nothing of it may be missing. */
const isChained = (told: Told): boolean => told.kind === 'book' && told.how !== 'poll';

export function createOrdering({ out, tooLate, counted }: OrderingOptions): Ordering {
  const held = new Heap<Told>((a, b) => a.time - b.time || RANK[a.kind] - RANK[b.kind]);
  const skew = createSample();
  let newest = Number.NEGATIVE_INFINITY;
  let newestOut = Number.NEGATIVE_INFINITY;
  let newestBook = Number.NEGATIVE_INFINITY;
  let mended = 0;
  let late = 0;

  const letOut = (until: (oldest: Told) => boolean): void => {
    for (let told = held.peek(); told !== undefined && until(told); told = held.peek()) {
      held.pop();
      newestOut = told.time;
      out(told);
    }
  };
  const hold = (told: Told): void => {
    held.push(told);
    newest = Math.max(newest, told.time);
    letOut(({ time }) => newest - time > WINDOW || held.size > MOST_HELD);
  };
  const bookTime = (told: Told): Stamp => {
    if (!isChained(told)) return told.time;
    newestBook = Math.max(newestBook, told.time);
    return newestBook;
  };
  return {
    hear(told) {
      if (told.kind === 'other') return;
      const counts = counted(told);
      if (counts) skew.add(told.received - told.time);
      const time = bookTime(told);
      if (counts && time < newest) mended += 1;
      if (time >= newestOut) return hold(time === told.time ? told : { ...told, time });
      if (!isChained(told) && told.kind !== 'settlement') return tooLate(told);
      late += 1;
      hold({ ...told, time: newestOut });
    },
    end: () => letOut(() => true),
    checks() {
      const [least, median] = [skew.least, skew.median()];
      return { mended, late, skew: least === undefined || median === undefined ? undefined : { least, median } };
    },
  };
}
