// Invariants of data. Newer data is never replaced by older data. In runs with streams, the exchange had each book that a turn is decided on, under its
// number, and the book is not older than the process counts it, whether a poll or a frame brought it.

import { compareUpdateIds } from '../../../bot/domain/ids.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import type { MakeCheck, Process } from '../environment/scene.ts';
import type { FaultKind } from '../plan/faults.ts';

type BookSeen = Extract<Turn['events'][number], { kind: 'bookSeen' }>;

/** Faults by which a process counts a book as younger than it is, and cannot know it. */
const MAKE_YOUNGER: readonly FaultKind[] = ['stale', 'shifted', 'sleep', 'wallStep', 'rollback', 'backward'];
/** The rounding of two clocks. */
const ROUNDING = 5;

export const books: MakeCheck = ({ venue, faults, clock, reached, fail }) => {
  const agesAreKnown = MAKE_YOUNGER.every((kind) => faults.of(kind).length === 0);
  const see = ({ book, asked }: BookSeen, { number, life }: Process): void => {
    const { streams } = venue;
    if (streams === undefined) return;
    const { updateId } = book;
    if (!streams.hasShown(book)) return fail('V24', `process ${number} decides on a book ${updateId} that the exchange has not shown`);
    if (!streams.wasPolled(book)) reached('book of a websocket frame used');
    const until = streams.currentUntil(book);
    const began = clock.now() - (life.clock.now() - asked);
    if (agesAreKnown && until !== undefined && began > until + ROUNDING)
      fail('V24', `process ${number} counts book ${updateId} as ${began - until} ms younger than it is`);
  };
  return {
    turn: ({ events }, by) => {
      for (const event of events) if (event.kind === 'bookSeen') see(event, by);
    },
  };
};

/** Newer data is never replaced by older data. */
export const orderOfTime: MakeCheck = ({ fail }) => {
  const newest = new Map<string, string>();
  const see = (key: string, updateId: string): void => {
    const before = newest.get(key);
    if (before !== undefined && compareUpdateIds(updateId, before) < 0) fail('V10', `${key} went back from ${before} to ${updateId}`);
    newest.set(key, updateId);
  };
  return {
    turn({ events }, { number }) {
      for (const event of events) {
        if (event.kind === 'accountSeen') see(`${number}/account`, event.account.updateId);
        if (event.kind === 'bookSeen') see(`${number}/book ${event.book.market}`, event.book.updateId);
      }
    },
  };
};
