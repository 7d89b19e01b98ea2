// Polling: one request at a time, at a steady interval, with back-off while it fails.
// A failure may be an answer of 429. Of a start: `bot/exchange/kit/start-retries.ts`; of an order: `venues/client/hosted-actions.ts`.
// `answer.ts`: the result of a request, and a filter of older ones. `back-off.ts`: the wait after a failure. `budget.ts`: our own limit on requests.
// `health.ts`: whether a stream is healthy. `scheduler.ts`: time for RxJS from a clock.
import {
  catchError,
  concatMap,
  defer,
  delayWhen,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  race,
  repeat,
  type SchedulerLike,
  Subject,
  take,
  tap,
  throwError,
  timeout,
  timer,
} from 'rxjs';
import type { Clock, Millis } from '../clock.ts';
import { AssertionError, assert, messageOf } from '../errors.ts';
import type { Rng } from '../rng.ts';
import { spanText } from '../text/duration.ts';
import type { Answer } from './answer.ts';
import { backOffMs } from './back-off.ts';
import type { Budget, Priority } from './budget.ts';
import { schedulerFrom } from './scheduler.ts';

/** Longer server-requested waits are capped: a broken header must not stop a stream. */
const MAX_RETRY_AFTER_MS = 300_000;
/** Minimum time between two requests, however often `changed` emits. */
const MIN_INTERVAL: Millis = 100;

export interface PollOptions<T> {
  readonly clock: Clock;
  /** Draws the jitter of the back-off. */
  readonly rng: Rng;
  /** From the start of one request to the start of the next, while they succeed. */
  readonly everyMs: Millis;
  /** A request without an answer after this time counts as failed; a later answer is dropped. */
  readonly timeoutMs: Millis;
  readonly ask: () => Promise<T>;
  /** Returns the wait that the server requested with this error; undefined if none. */
  readonly retryAfterMs?: ((error: unknown) => Millis | undefined) | undefined;
  /** Maximum of that wait; 300 s by default. */
  readonly retryAfterCapMs?: Millis | undefined;
  /** Rate limit of the requests. Waiting for it counts neither for `timeoutMs` nor for an answer's age. */
  readonly budget?: Budget | undefined;
  /** How many requests of the budget it counts as; 1 by default. */
  readonly weight?: number | undefined;
  /** `normal` by default. */
  readonly priority?: Priority | undefined;
  /** Emits when the next request should start before its interval is over, but at least 0.1 s after the previous one. */
  readonly changed?: Observable<unknown> | undefined;
}

/**
 * Cold: polls from subscription to unsubscription and never completes; only a failed assertion errors. After the n-th failure in a row it waits for
 * the time that the server requested, plus a random time below `min(5 s, everyMs × 2^(n-1))` (full jitter: Brooker, AWS, 2015).
 */
export function poll<T>(options: PollOptions<T>): Observable<Answer<T>> {
  const { clock, everyMs, changed } = options;
  assert(everyMs > 0 && options.timeoutMs > 0, 'a poll needs an interval and a timeout');
  const scheduler = schedulerFrom(clock);
  return defer(() => {
    let failures = 0;
    let pause: Millis = 0;
    let askedAt: Millis = 0;
    let changedAt: Millis | undefined;
    const wake = new Subject<void>();
    /** Waits for the rest of the interval, or only for the rest of MIN_INTERVAL if `changed` has emitted since the request or emits during the wait. */
    const untilChange = (): Observable<unknown> => {
      const afterMinimum = (): Observable<unknown> => timer(Math.min(pause, restOf(MIN_INTERVAL, clock.now() - askedAt)), scheduler);
      if (changedAt !== undefined && changedAt >= askedAt) return afterMinimum();
      return race(timer(pause, scheduler), wake.pipe(take(1), delayWhen(afterMinimum)));
    };
    const requests = defer(() => askOnce(options, scheduler)).pipe(
      tap((answer) => {
        failures = answer.kind === 'failed' ? failures + 1 : 0;
        askedAt = answer.asked;
        pause = answer.kind === 'failed' ? backOff(options, answer.error, failures) : restOf(everyMs, clock.now() - answer.asked);
      }),
      repeat({ delay: () => (changed === undefined || failures > 0 ? timer(pause, scheduler) : untilChange()) }),
    );
    const polling = timer(0, scheduler).pipe(concatMap(() => requests));
    if (changed === undefined) return polling;
    return merge(
      polling,
      changed.pipe(
        tap(() => {
          changedAt = clock.now();
          wake.next();
        }),
        ignoreElements(),
      ),
    );
  });
}

function askOnce<T>(options: PollOptions<T>, scheduler: SchedulerLike): Observable<Answer<T>> {
  const { clock, timeoutMs, ask, budget, priority = 'normal', weight } = options;
  const permit = budget === undefined ? of(undefined) : defer(() => budget.take(priority, weight));
  const inTime = timeout<T, Observable<never>>({
    first: timeoutMs,
    scheduler,
    with: () => throwError(() => new Error(`timeout after ${spanText(timeoutMs)}`)),
  });
  let asked = clock.now();
  return permit.pipe(
    concatMap(() => {
      asked = clock.now();
      return defer(ask).pipe(inTime);
    }),
    map((value): Answer<T> => ({ kind: 'seen', value, asked, at: clock.now() })),
    catchError((error: unknown): Observable<Answer<T>> => {
      if (error instanceof AssertionError) throw error;
      return of({ kind: 'failed', reason: messageOf(error), error, asked, at: clock.now() });
    }),
  );
}

function backOff<T>(options: PollOptions<T>, error: unknown, failures: number): Millis {
  const { rng, everyMs, retryAfterMs, retryAfterCapMs = MAX_RETRY_AFTER_MS } = options;
  return backOffMs({ rng, firstMs: everyMs, retryAfterMs: retryAfterMs?.(error), retryAfterCapMs }, failures);
}

/** Returns the rest of the interval; at most the whole interval, in case the clock was set back. */
const restOf = (everyMs: Millis, passed: Millis): Millis => Math.min(everyMs, Math.max(0, everyMs - passed));
