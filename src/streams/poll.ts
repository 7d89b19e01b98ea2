// Asking again and again: one request at a time, at a steady interval, backing off while it fails.
import { Observable, type Subscriber } from 'rxjs';
import { AssertionError, assert } from '../base/assert.ts';
import type { Cancel, Clock, Millis } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Rng } from '../base/rng.ts';
import type { Answer } from './answer.ts';
import type { Budget, Priority } from './budget.ts';
import { spanText } from './span.ts';

const MAX_BACK_OFF_MS = 5_000;
/** A server that asks for more is not obeyed further: a broken header must not end a stream for ever. */
const MAX_RETRY_AFTER_MS = 300_000;

export interface PollOptions<T> {
  readonly clock: Clock;
  /** Draws the jitter of the back-off. */
  readonly rng: Rng;
  /** From the start of one request to the start of the next, while they succeed. */
  readonly everyMs: Millis;
  /** An answer that takes longer is a failure, and is dropped should it come after all. */
  readonly timeoutMs: Millis;
  readonly ask: () => Promise<T>;
  /** How long the server asked us to stay away, where this error says so. */
  readonly retryAfterMs?: ((error: unknown) => Millis | undefined) | undefined;
  /** Gives leave for each request; the wait for it counts neither for `timeoutMs` nor for an answer's age. */
  readonly budget?: Budget | undefined;
  /** `normal` unless told. */
  readonly priority?: Priority | undefined;
}

/**
 * Cold: asks from subscription to unsubscription and never completes; only a broken assertion errors. After the n-th failure in a row it waits
 * for as long as the server asked, and then for a random time below `min(5 s, everyMs × 2^(n-1))` (full jitter: Brooker, AWS, 2015).
 */
export function poll<T>(options: PollOptions<T>): Observable<Answer<T>> {
  assert(options.everyMs > 0 && options.timeoutMs > 0, 'a poll needs an interval and a timeout');
  return new Observable((subscriber) => {
    const round = new Rounds(options, subscriber);
    round.begin(0);
    return () => round.end();
  });
}

/** One request after the other. By hand: a chain of operators made anew for each request takes longer than all that is done with its answer. */
class Rounds<T> {
  readonly #options: PollOptions<T>;
  readonly #subscriber: Subscriber<Answer<T>>;
  #failures = 0;
  /** Of the request that is waited for; what an earlier one still brings is dropped. */
  #number = 0;
  #asked: Millis = 0;
  #cancel: Cancel = () => undefined;

  constructor(options: PollOptions<T>, subscriber: Subscriber<Answer<T>>) {
    this.#options = options;
    this.#subscriber = subscriber;
  }

  begin(after: Millis): void {
    const { clock, budget, priority = 'normal' } = this.#options;
    this.#cancel = clock.at(clock.now() + after, () => {
      const number = ++this.#number;
      this.#asked = clock.now();
      if (budget === undefined) return this.#ask(number);
      budget.take(priority).then(
        () => this.#ask(number),
        (error: unknown) => this.#failed(number, error),
      );
    });
  }

  end(): void {
    this.#number++;
    this.#cancel();
  }

  #ask(number: number): void {
    if (number !== this.#number) return;
    const { clock, timeoutMs, ask } = this.#options;
    this.#asked = clock.now();
    let answer: Promise<T>;
    try {
      answer = ask();
    } catch (error) {
      return this.#failed(number, error);
    }
    answer.then(
      (value) => this.#seen(number, value),
      (error: unknown) => this.#failed(number, error),
    );
    this.#cancel = clock.at(clock.now() + timeoutMs, () => this.#failed(number, new Error(`timeout after ${spanText(timeoutMs)}`)));
  }

  #seen(number: number, value: T): void {
    if (number !== this.#number) return;
    const { clock, everyMs } = this.#options;
    const at = clock.now();
    this.#failures = 0;
    this.#tell({ kind: 'seen', value, asked: this.#asked, at }, restOf(everyMs, at - this.#asked));
  }

  #failed(number: number, error: unknown): void {
    if (number !== this.#number) return;
    if (error instanceof AssertionError) return this.#subscriber.error(error);
    const at = this.#options.clock.now();
    this.#failures++;
    const answer: Answer<T> = { kind: 'failed', reason: messageOf(error), error, asked: this.#asked, at };
    this.#tell(answer, backOff(this.#options, error, this.#failures));
  }

  /** Whoever hears it may end the poll. */
  #tell(answer: Answer<T>, pause: Millis): void {
    const number = ++this.#number;
    this.#cancel();
    this.#subscriber.next(answer);
    if (number === this.#number) this.begin(pause);
  }
}

function backOff<T>({ rng, everyMs, retryAfterMs }: PollOptions<T>, error: unknown, failures: number): Millis {
  const askedFor = Math.min(retryAfterMs?.(error) ?? 0, MAX_RETRY_AFTER_MS);
  return askedFor + Math.floor(rng.next() * Math.min(MAX_BACK_OFF_MS, everyMs * 2 ** (failures - 1)));
}

/** What is left of the interval; all of it at most, should the clock have been set back meanwhile. */
const restOf = (everyMs: Millis, passed: Millis): Millis => Math.min(everyMs, Math.max(0, everyMs - passed));
