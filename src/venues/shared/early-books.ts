// Emits books from a delta socket earlier than the polls, which continue as a check. The book itself: `delta-book.ts`.
import { ignoreElements, merge, type Observable, Subject, tap } from 'rxjs';
import type { Clock, Millis } from '../../base/clock.ts';
import type { SeenAnswer } from '../../base/streams/answer.ts';
import type { Book } from '../../bot/domain/book.ts';
import { compareIds } from '../../bot/domain/ids.ts';
import type { EarlyBooks } from '../../bot/exchange/kit/venue-client.ts';
import { type BookDelta, DeltaBook } from './delta-book.ts';

/** A socket whose book is older than the polls for this long is reconnected. */
const MAX_BEHIND: Millis = 5_000;

/** `begins`: a new connection without messages yet. */
export type DeltaEvent = { readonly kind: 'begins' } | { readonly kind: 'delta'; readonly delta: BookDelta };

export interface EarlyBooksOptions {
  readonly clock: Clock;
  /** The events of one market. */
  readonly events: Observable<DeltaEvent>;
  /** Reconnects the socket. */
  readonly restart: (reason: string) => void;
}

/** Returns the books of one market, applied from the socket's deltas. */
export function earlyBooks({ clock, events, restart }: EarlyBooksOptions): EarlyBooks {
  const deltaBook = new DeltaBook();
  const books = new Subject<SeenAnswer<Book>>();
  /** When the socket's book was last as new as the polls. */
  let upToDateAt = clock.now();
  const show = (result: ReturnType<DeltaBook['polled']>): void => {
    if (result !== undefined) books.next({ kind: 'seen', value: result.book, asked: result.asked, at: clock.now() });
  };
  return {
    pushed: merge(
      books,
      events.pipe(
        tap((event) => {
          if (event.kind === 'delta') return show(deltaBook.framed(event.delta));
          deltaBook.reset();
          upToDateAt = clock.now();
        }),
        ignoreElements(),
      ),
    ),
    observe: (seen) => {
      show(deltaBook.polled(seen));
      const { updateId } = deltaBook;
      if (updateId !== undefined && compareIds(updateId, seen.value.updateId) >= 0) upToDateAt = clock.now();
      else if (clock.now() - upToDateAt > MAX_BEHIND) {
        upToDateAt = clock.now();
        restart('its book stays behind the polls');
      }
    },
  };
}
