// Polling: one request at a time, at a steady interval, with back-off while it fails.
// An answer of 429 is a failure like any other here. What it does to a start: `bot/exchange/kit/start-retries.ts`; to an order:
// `venues/client/hosted-actions.ts`.
// `answer.ts`: the result of a request, and a filter of older ones. `back-off.ts`: the wait after a failure. `budget.ts`: our own limit on requests.
// `health.ts`: whether a stream is healthy. `scheduler.ts`: time for RxJS from a clock.
import { Observable, type Subscriber } from 'rxjs';
import { type Cancel, type Clock, type Millis, SingleTimer } from '../clock.ts';
import { AssertionError, assert, messageOf } from '../errors.ts';
import type { Rng } from '../rng.ts';
import { spanText } from '../text/duration.ts';
import type { Answer } from './answer.ts';
import { backOffMs } from './back-off.ts';
import type { Budget, Priority } from './budget.ts';

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
  assert(options.everyMs > 0 && options.timeoutMs > 0, 'a poll needs an interval and a timeout');
  return new Observable((subscriber) => {
    const poller = new Poller(options, subscriber);
    subscriber.add(options.changed?.subscribe({ next: () => poller.askSooner(), error: (error) => subscriber.error(error) }));
    return () => poller.stop();
  });
}

/** One subscription of a poll. No chain of RxJS operators, which would be slower: every answer passes here. */
class Poller<T> {
  readonly #options: PollOptions<T>;
  readonly #subscriber: Subscriber<Answer<T>>;
  readonly #next: SingleTimer;
  #stopTimeout: Cancel = () => undefined;
  #failures = 0;
  #askedAt: Millis = 0;
  #changedAt = Number.NEGATIVE_INFINITY;
  /** When the next request starts; undefined while one is in flight. */
  #nextAt: Millis | undefined;

  constructor(options: PollOptions<T>, subscriber: Subscriber<Answer<T>>) {
    this.#options = options;
    this.#subscriber = subscriber;
    this.#next = new SingleTimer(options.clock);
    this.#next.set(0, () => void this.#ask());
  }

  /** Ends the wait as soon as MIN_INTERVAL has passed since the last request, unless that failed. */
  askSooner(): void {
    const now = this.#options.clock.now();
    this.#changedAt = now;
    if (this.#nextAt !== undefined && this.#failures === 0)
      this.#wait(Math.min(this.#nextAt - now, restOf(MIN_INTERVAL, now - this.#askedAt)));
  }

  stop(): void {
    this.#next.cancel();
    this.#stopTimeout();
  }

  async #ask(): Promise<void> {
    const { clock, budget, priority = 'normal', weight } = this.#options;
    this.#nextAt = undefined;
    this.#askedAt = clock.now();
    try {
      await budget?.take(priority, weight);
      if (this.#subscriber.closed) return;
      this.#askedAt = clock.now();
      const value = await this.#valueInTime();
      this.#answered({ kind: 'seen', value, asked: this.#askedAt, at: clock.now() });
    } catch (error) {
      if (error instanceof AssertionError) this.#subscriber.error(error);
      else this.#answered({ kind: 'failed', reason: messageOf(error), error, asked: this.#askedAt, at: clock.now() });
    }
  }

  #valueInTime(): Promise<T> {
    const { clock, timeoutMs, ask } = this.#options;
    return new Promise((resolve, reject) => {
      this.#stopTimeout = clock.at(clock.now() + timeoutMs, () => reject(new Error(`timeout after ${spanText(timeoutMs)}`)));
      ask().then(resolve, reject);
    });
  }

  #answered(answer: Answer<T>): void {
    const { clock, everyMs } = this.#options;
    this.#stopTimeout();
    if (this.#subscriber.closed) return;
    this.#failures = answer.kind === 'failed' ? this.#failures + 1 : 0;
    const pause =
      answer.kind === 'failed' ? backOff(this.#options, answer.error, this.#failures) : restOf(everyMs, clock.now() - answer.asked);
    this.#subscriber.next(answer);
    if (this.#subscriber.closed) return;
    const hasChanged = answer.kind === 'seen' && this.#changedAt >= this.#askedAt;
    this.#wait(hasChanged ? Math.min(pause, restOf(MIN_INTERVAL, clock.now() - this.#askedAt)) : pause);
  }

  #wait(span: Millis): void {
    this.#nextAt = this.#options.clock.now() + span;
    this.#next.set(span, () => void this.#ask());
  }
}

function backOff<T>(options: PollOptions<T>, error: unknown, failures: number): Millis {
  const { rng, everyMs, retryAfterMs, retryAfterCapMs = MAX_RETRY_AFTER_MS } = options;
  return backOffMs({ rng, firstMs: everyMs, retryAfterMs: retryAfterMs?.(error), retryAfterCapMs }, failures);
}

/** Returns the rest of the interval; at most the whole interval, in case the clock was set back. */
const restOf = (everyMs: Millis, passed: Millis): Millis => Math.min(everyMs, Math.max(0, everyMs - passed));
