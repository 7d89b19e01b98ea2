// Sorts messages, which come in order of receipt, by exchange time.
import type { Stamp } from '../../../embedded/rows/rows.ts';
import { createSorter } from '../../../embedded/tape/sorter.ts';
import { createSample } from '../checks/message-stats.ts';
import type { FeedMessage } from '../formats/feed-message.ts';

/** How far behind a newer message another may be received without being late, in exchange time. */
const WINDOW: Stamp = 10_000_000;
/** Maximum number of messages held back. If there are more, the oldest are emitted early. */
const MAX_HELD = 1 << 16;

/** Order of messages of equal time: a trade before the book that shows its effect, a settlement of funding before the candle that opens then. */
const RANK: Readonly<Record<FeedMessage['kind'], number>> = { settlement: 0, marks: 1, trade: 2, book: 3, best: 4, candle: 5, other: 6 };

export interface OrderingChecks {
  /** Messages received after one of a later exchange time, and moved before it. */
  readonly mended: number;
  /** Books and settlements received too late to be moved: they have the earliest time that was still possible. */
  readonly late: number;
  /** Time of receipt minus exchange time. */
  readonly skew: { readonly least: Stamp; readonly median: Stamp } | undefined;
}

export interface Ordering {
  readonly take: (message: FeedMessage) => void;
  /** Emits all messages that are held back. */
  end(): void;
  checks(): OrderingChecks;
}

export interface OrderingOptions {
  readonly out: (message: FeedMessage) => void;
  /** Receives messages that are too late and are dropped. */
  readonly tooLate: (message: FeedMessage) => void;
  /** True for messages that the checks count: all but a best bid and ask that the book is only compared with. */
  readonly counted: (message: FeedMessage) => boolean;
}

/** True for messages that build on earlier ones: they keep the exchange's order, and none may be dropped. */
const isChained = (message: FeedMessage): boolean => message.kind === 'book' && message.how !== 'poll';

export function createOrdering({ out, tooLate, counted }: OrderingOptions): Ordering {
  const skew = createSample();
  let newestBook = Number.NEGATIVE_INFINITY;
  let mended = 0;
  let late = 0;

  const sorter = createSorter<FeedMessage>({
    window: WINDOW,
    mostHeld: MAX_HELD,
    rank: (a, b) => RANK[a.kind] - RANK[b.kind],
    out,
    late(message, behind) {
      if (isChained(message) || message.kind === 'settlement') {
        late += 1;
        return { ...message, time: message.time + behind };
      }
      tooLate(message);
      return undefined;
    },
  });
  /** Returns the message; a chained one not before the newest chained one. */
  const afterNewestBook = (message: FeedMessage): FeedMessage => {
    if (!isChained(message)) return message;
    newestBook = Math.max(newestBook, message.time);
    return message.time === newestBook ? message : { ...message, time: newestBook };
  };
  return {
    take(message) {
      if (message.kind === 'other') return;
      const counts = counted(message);
      if (counts) skew.add(message.received - message.time);
      const ordered = afterNewestBook(message);
      if (counts && ordered.time < sorter.newest) mended += 1;
      sorter.add(ordered);
    },
    end: () => sorter.end(),
    checks() {
      const [least, median] = [skew.least, skew.median()];
      return { mended, late, skew: least === undefined || median === undefined ? undefined : { least, median } };
    },
  };
}
