// Reads the candles of a strategy's history at the start: those kept by an earlier process, and the rest from the exchange.
import { catchError, concat, concatMap, defer, EMPTY, from, isObservable, map, merge, type Observable, of, retry, timer } from 'rxjs';
import { type Clock, MINUTE, type Millis } from '../../../../base/clock.ts';
import { messageOf } from '../../../../base/errors.ts';
import { schedulerFrom } from '../../../../base/streams/scheduler.ts';
import type { Candle } from '../../../domain/candle.ts';
import type { CandlesSeen } from '../../../domain/event.ts';
import type { CandleRequest, Venue } from '../../../exchange/port.ts';
import type { WarmUp } from '../../../strategy/schedule.ts';
import type { State } from '../../state/state.ts';
import { keptCandles, remaining } from './kept-candles.ts';

const RETRY_AFTER: Millis = 30_000;

interface PastOptions {
  readonly venue: Venue;
  readonly warmUp: WarmUp;
  readonly clock: Clock;
  /** Candles that earlier processes of the run kept. */
  readonly kept?: State['candles'];
  /** Called with the reason when a request has failed; it is repeated after 30 s. */
  readonly failed: (reason: string) => void;
}

/** Returns the venue with a feed that starts with the past candles. */
export function withPast(options: PastOptions): Venue {
  const { venue } = options;
  const { markets, tokens, events } = venue.feed;
  return { ...venue, feed: { markets, tokens, events: merge(events, pastEvents(options)) } };
}

/** Emits the available history: every requested length, and the minutes since the last of the longest candles began. */
function pastEvents(options: PastOptions): Observable<CandlesSeen> {
  const { venue, warmUp, clock } = options;
  const ofMarkets = venue.feed.markets.map((market) => {
    const spans = [...warmUp.wanted].sort((a, b) => b.span - a.span);
    const longest = spans[0]?.span ?? MINUTE;
    const minutesIntoCandle = (): number => Math.floor((clock.now() % longest) / MINUTE);
    const wanted = spans.map(({ span, count }) => () => ({ market, span, count, until: clock.now() }));
    const minutes = (): CandleRequest => ({ market, span: MINUTE, count: minutesIntoCandle(), until: clock.now() });
    const questions = longest === MINUTE || minutesIntoCandle() === 0 ? wanted : [...wanted, minutes];
    return from(questions).pipe(concatMap((asked) => defer(() => answers(asked(), options))));
  });
  return merge(...ofMarkets);
}

/** Emits the kept candles, then the missing ones from the exchange. */
function answers(asked: CandleRequest, { venue: { history }, kept, clock, failed }: PastOptions): Observable<CandlesSeen> {
  const seen = (candles: readonly Candle[], span: Millis, at: Millis): CandlesSeen => ({
    kind: 'candlesSeen',
    at: clock.now(),
    asked: at,
    market: asked.market.id,
    candles,
    span,
    past: true,
  });
  const keptOnes = kept === undefined ? [] : keptCandles(kept, asked);
  const before = keptOnes.length === 0 ? EMPTY : defer(() => of(seen(keptOnes, asked.span, clock.now())));
  const rest = remaining(asked, keptOnes);
  if (history === undefined || rest === undefined) return before;
  const read = defer(() => {
    const at = clock.now();
    const answer = history(remaining({ ...asked, until: at }, keptOnes) ?? rest); // a retry also asks for what has finished since
    return (answer instanceof Promise ? from(answer) : isObservable(answer) ? answer : of(answer)).pipe(
      map(({ span, candles }) => seen(candles, span, at)),
    );
  }).pipe(
    catchError((error: unknown) => {
      failed(messageOf(error));
      throw error;
    }),
    retry({ delay: () => timer(RETRY_AFTER, schedulerFrom(clock)) }),
  );
  return concat(before, read);
}
