// Reads the candles of a strategy's history from the exchange, once at the start.
import { catchError, concatMap, defer, EMPTY, from, map, merge, type Observable, of, retry, timer } from 'rxjs';
import type { Clock, Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { MINUTE } from '../../domain/candle.ts';
import type { CandlesSeen } from '../../domain/event.ts';
import type { CandlesAsked, Venue } from '../../exchange/port.ts';
import type { WarmUp } from '../../strategy/schedule.ts';
import { schedulerFrom } from '../../streams/scheduler.ts';

const AGAIN: Millis = 30_000;

interface PastOptions {
  readonly venue: Venue;
  readonly warmUp: WarmUp;
  readonly clock: Clock;
  /** Called with the reason when a request has failed; it is sent again half a minute later. */
  readonly failed: (reason: string) => void;
}

/** The venue, whose feed begins with the candles of the past. */
export function withPast(options: PastOptions): Venue {
  const { venue } = options;
  const { markets, tokens, events } = venue.feed;
  return { ...venue, feed: { markets, tokens, events: merge(events, pastEvents(options)) } };
}

/** Emits what the exchange has of the history: every length that is wanted, and the minutes of the window that is not over yet. */
function pastEvents({ venue, warmUp, clock, failed }: PastOptions): Observable<CandlesSeen> {
  const { history } = venue;
  if (history === undefined) return EMPTY;
  const read = (asked: () => CandlesAsked): Observable<CandlesSeen> =>
    defer(() => {
      const at = clock.now();
      const answer = history(asked());
      return (answer instanceof Promise ? from(answer) : of(answer)).pipe(
        map(
          ({ span, candles }): CandlesSeen => ({
            kind: 'candlesSeen',
            at: clock.now(),
            asked: at,
            market: asked().market.id,
            candles,
            span,
          }),
        ),
      );
    }).pipe(
      catchError((error: unknown) => {
        failed(messageOf(error));
        throw error;
      }),
      retry({ delay: () => timer(AGAIN, schedulerFrom(clock)) }),
    );
  const ofMarkets = venue.feed.markets.map((market) => {
    const spans = [...warmUp.wanted].sort((a, b) => b.span - a.span);
    const longest = spans[0]?.span ?? MINUTE;
    const running = (): number => Math.floor((clock.now() % longest) / MINUTE);
    const wanted = spans.map(({ span, count }) => () => ({ market, span, count, until: clock.now() }));
    const minutes = (): CandlesAsked => ({ market, span: MINUTE, count: running(), until: clock.now() });
    const questions = longest === MINUTE || running() === 0 ? wanted : [...wanted, minutes];
    return from(questions).pipe(concatMap(read));
  });
  return merge(...ofMarkets);
}
