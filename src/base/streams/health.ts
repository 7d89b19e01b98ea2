// Says whether a stream is healthy, once per change. A stream is healthy while its newest value is recent and its values still change.
// An observer of its own, because a chain of RxJS operators would be slower: every answer passes here.
import { Observable, type OperatorFunction } from 'rxjs';
import { type Clock, type Millis, SingleTimer } from '../clock.ts';
import { spanText } from '../text/duration.ts';
import type { Answer, SeenAnswer } from './answer.ts';

export interface StreamHealth {
  readonly healthy: boolean;
  /** Text for a person, without times that change, so that it stays true while the state lasts: `no order book for more than 3 s`. */
  readonly reason: string;
  readonly at: Millis;
}

export interface HealthOptions<T> {
  readonly clock: Clock;
  /** What the stream delivers, as text: `order book`. */
  readonly what: string;
  /** Maximum age of the newest value, counted from the start of its request. */
  readonly maxAgeMs: Millis;
  /** When the newest value before this subscription was requested. Default: the time of the subscription. */
  readonly seenBefore?: Millis | undefined;
  /** Maximum time for which the values may have the same id: a stuck server still answers promptly. */
  readonly stuck?: { readonly idOf: (value: T) => string; readonly maxMs: Millis } | undefined;
}

/** Emits the reports of a `HealthWatch`. */
export const health = <T>(options: HealthOptions<T>): OperatorFunction<Answer<T>, StreamHealth> =>
  watched(options, { report: (verdict) => verdict, events: () => [] });

/**
 * Emits each report of a `HealthWatch` and the events of each value. A report comes before the value that led to it, so nothing is decided on data already
 * known to be stale.
 */
export function watched<T, E>(
  options: HealthOptions<T>,
  { report, events }: { readonly report: (verdict: StreamHealth) => E; readonly events: (seen: SeenAnswer<T>) => readonly E[] },
): OperatorFunction<Answer<T>, E> {
  return (answers) =>
    new Observable((subscriber) => {
      const watch = new HealthWatch(options, (verdict) => subscriber.next(report(verdict)));
      subscriber.add(() => watch.stop());
      const subscription = answers.subscribe({
        next(answer) {
          try {
            watch.observe(answer);
            if (answer.kind === 'seen') for (const event of events(answer)) subscriber.next(event);
          } catch (error) {
            subscriber.error(error);
          }
        },
        error: (error) => subscriber.error(error),
        complete: () => watch.finish(() => subscriber.complete()),
      });
      subscriber.add(subscription);
    });
}

class HealthWatch<T> {
  readonly #options: HealthOptions<T>;
  readonly #report: (verdict: StreamHealth) => void;
  readonly #staleness: SingleTimer;
  /** When the timer fires; undefined if it is not set. */
  #dueAt: Millis | undefined;
  /** When the newest value was requested. */
  #newest: Millis;
  /** The last failure since that value, as an addition to a reason. */
  #failure = '';
  #isHealthy: boolean | undefined;
  #id: string | undefined;
  /** When the first value with this id was requested. */
  #idSince: Millis = 0;
  #finished: (() => void) | undefined;

  /** Reports nothing until the first value, or until `maxAgeMs` has passed without one; then each change. */
  constructor(options: HealthOptions<T>, report: (verdict: StreamHealth) => void) {
    const { clock, seenBefore = clock.now() } = options;
    this.#options = options;
    this.#report = report;
    this.#staleness = new SingleTimer(clock);
    this.#newest = seenBefore;
    this.#awaitStaleness();
  }

  observe(answer: Answer<T>): void {
    if (answer.kind === 'failed') {
      this.#failure = `: ${answer.reason}`;
      return;
    }
    const { clock, what, maxAgeMs, stuck } = this.#options;
    this.#newest = answer.asked;
    this.#failure = '';
    if (stuck !== undefined && this.#isStuck(stuck, answer)) {
      this.stop();
      return this.#become(false, `${what} has not changed for more than ${spanText(stuck.maxMs)}`);
    }
    if (clock.now() - answer.asked <= maxAgeMs) this.#become(true, `${what} seen`);
    this.#awaitStaleness();
  }

  /** Calls `done` when the age of the last value has been reported too. */
  finish(done: () => void): void {
    if (this.#dueAt === undefined) done();
    else this.#finished = done;
  }

  stop(): void {
    this.#staleness.cancel();
    this.#dueAt = undefined;
  }

  /** A timer that is due earlier is kept: it is set again when it fires, so that not every value sets one. */
  #awaitStaleness(): void {
    const { clock, maxAgeMs } = this.#options;
    const staleAt = this.#newest + maxAgeMs + 1;
    if (this.#dueAt !== undefined && this.#dueAt <= staleAt) return;
    this.#dueAt = staleAt;
    this.#staleness.set(Math.max(1, staleAt - clock.now()), () => this.#due());
  }

  #due(): void {
    const { clock, what, maxAgeMs } = this.#options;
    this.#dueAt = undefined;
    if (clock.now() - this.#newest <= maxAgeMs) return this.#awaitStaleness();
    this.#become(false, `no ${what} for more than ${spanText(maxAgeMs)}${this.#failure}`);
    this.#finished?.();
  }

  #isStuck({ idOf, maxMs }: NonNullable<HealthOptions<T>['stuck']>, { value, asked }: SeenAnswer<T>): boolean {
    const id = idOf(value);
    if (id !== this.#id) [this.#id, this.#idSince] = [id, asked];
    return asked - this.#idSince > maxMs;
  }

  #become(healthy: boolean, reason: string): void {
    if (healthy === this.#isHealthy) return;
    this.#isHealthy = healthy;
    this.#report({ healthy, reason, at: this.#options.clock.now() });
  }
}
