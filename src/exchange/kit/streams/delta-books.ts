// Books that a socket of changed levels shows sooner than the polls, which go on as the check.
import { ignoreElements, merge, type Observable, Subject, tap } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import type { Book } from '../../../domain/book.ts';
import { compareIds } from '../../../domain/ids.ts';
import type { Seen } from '../../../streams/answer.ts';
import { type BookDelta, DeltaBook } from './delta-book.ts';

/** A socket whose book stays behind the polls for so long is connected again. */
const BEHIND_FOR: Millis = 5_000;

/** `begins`: another connection, of which nothing was heard yet. */
export type DeltaEvent = { readonly kind: 'begins' } | { readonly kind: 'delta'; readonly delta: BookDelta };

export interface DeltaBooksOptions {
  readonly clock: Clock;
  /** Of one market. */
  readonly events: Observable<DeltaEvent>;
  /** Makes another connection. */
  readonly restart: (reason: string) => void;
}

export interface DeltaBooks {
  /** Each with the moment at which a poll was asked for that shows no newer book: its age is never less than that of the polls. */
  readonly pushed: Observable<Seen<Book>>;
  /** Must get every polled book. */
  readonly observe: (seen: Seen<Book>) => void;
}

export function deltaBooks({ clock, events, restart }: DeltaBooksOptions): DeltaBooks {
  const kept = new DeltaBook();
  const books = new Subject<Seen<Book>>();
  /** When the socket was last not behind the polls. */
  let inStep = clock.now();
  const show = (result: ReturnType<DeltaBook['polled']>): void => {
    if (result !== undefined) books.next({ kind: 'seen', value: result.book, asked: result.asked, at: clock.now() });
  };
  return {
    pushed: merge(
      books,
      events.pipe(
        tap((event) => {
          if (event.kind === 'delta') return show(kept.framed(event.delta));
          kept.reset();
          inStep = clock.now();
        }),
        ignoreElements(),
      ),
    ),
    observe: (seen) => {
      show(kept.polled(seen));
      const { updateId } = kept;
      if (updateId !== undefined && compareIds(updateId, seen.value.updateId) >= 0) inStep = clock.now();
      else if (clock.now() - inStep > BEHIND_FOR) {
        inStep = clock.now();
        restart('its book stays behind the polls');
      }
    },
  };
}
