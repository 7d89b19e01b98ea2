// What was told in order of receipt, put into order of exchange time.
import type { Stamp } from '../../../domain/rows.ts';
import { createSorter } from '../../sorter.ts';
import { createSample } from '../checks/sample.ts';
import type { FeedMessage } from '../formats/feed-message.ts';

/** How much later than something younger a message may be heard, in exchange time. */
const WINDOW: Stamp = 10_000_000;
/** Messages held back at most; beyond it the oldest go on early. */
const MOST_HELD = 1 << 16;

/** Of messages of one time: a trade happens before the book that shows what it left, and a candle opens once funding is settled. */
const RANK: Readonly<Record<FeedMessage['kind'], number>> = { settlement: 0, marks: 1, trade: 2, book: 3, best: 4, candle: 5, other: 6 };

export interface OrderingChecks {
  /** Messages heard after one of a later exchange time, and put before it. */
  readonly mended: number;
  /** Books and settlements heard later than could be mended: they stand at the time when they could. */
  readonly late: number;
  /** Time of receipt less exchange time. */
  readonly skew: { readonly least: Stamp; readonly median: Stamp } | undefined;
}

export interface Ordering {
  readonly hear: (told: FeedMessage) => void;
  /** Lets out what is held back. */
  end(): void;
  checks(): OrderingChecks;
}

export interface OrderingOptions {
  readonly out: (told: FeedMessage) => void;
  /** What is too late, and of no use then. */
  readonly tooLate: (told: FeedMessage) => void;
  /** Kinds that are counted; a best bid and ask that a book is only checked against is not. */
  readonly counted: (told: FeedMessage) => boolean;
}

/** What goes on from what was told before: its order is the exchange's own, and nothing of it may be missing. */
const isChained = (told: FeedMessage): boolean => told.kind === 'book' && told.how !== 'poll';

export function createOrdering({ out, tooLate, counted }: OrderingOptions): Ordering {
  const skew = createSample();
  let newestBook = Number.NEGATIVE_INFINITY;
  let mended = 0;
  let late = 0;

  const sorter = createSorter<FeedMessage>({
    window: WINDOW,
    mostHeld: MOST_HELD,
    rank: (a, b) => RANK[a.kind] - RANK[b.kind],
    out,
    late(told, behind) {
      if (isChained(told) || told.kind === 'settlement') {
        late += 1;
        return { ...told, time: told.time + behind };
      }
      tooLate(told);
      return undefined;
    },
  });
  const inOrder = (told: FeedMessage): FeedMessage => {
    if (!isChained(told)) return told;
    newestBook = Math.max(newestBook, told.time);
    return told.time === newestBook ? told : { ...told, time: newestBook };
  };
  return {
    hear(told) {
      if (told.kind === 'other') return;
      const counts = counted(told);
      if (counts) skew.add(told.received - told.time);
      const placed = inOrder(told);
      if (counts && placed.time < sorter.newest) mended += 1;
      sorter.add(placed);
    },
    end: () => sorter.end(),
    checks() {
      const [least, median] = [skew.least, skew.median()];
      return { mended, late, skew: least === undefined || median === undefined ? undefined : { least, median } };
    },
  };
}
