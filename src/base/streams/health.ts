// Emits whether a stream is healthy, once per change. A stream is healthy while its newest value is recent and its values still change.

import {
  concat,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  map,
  type Observable,
  type OperatorFunction,
  of,
  startWith,
  switchMap,
  tap,
  timer,
} from 'rxjs';
import type { Clock, Millis } from '../clock.ts';
import { spanText } from '../text/duration.ts';
import type { Answer, SeenAnswer } from './answer.ts';
import { schedulerFrom } from './scheduler.ts';

export interface StreamHealth {
  readonly healthy: boolean;
  /** For a person. It stays true while the state lasts: `no order book for more than 3 s`. */
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

/**
 * Emits nothing until the first value, or until `maxAgeMs` has passed without one; then at each change. The next value makes the stream healthy
 * again.
 */
export function health<T>({ clock, what, maxAgeMs, stuck, seenBefore }: HealthOptions<T>): OperatorFunction<Answer<T>, StreamHealth> {
  const scheduler = schedulerFrom(clock);
  return (answers) =>
    defer(() => {
      const isStuck = stuckCheck(stuck);
      let newest = seenBefore ?? clock.now();
      let failure = '';
      const healthy = (): StreamHealth => ({ healthy: true, reason: `${what} seen`, at: clock.now() });
      const unhealthy = (reason: string): StreamHealth => ({ healthy: false, reason, at: clock.now() });
      const staleLater = (): Observable<StreamHealth> =>
        timer(Math.max(0, newest + maxAgeMs - clock.now()) + 1, scheduler).pipe(
          map(() => unhealthy(`no ${what} for more than ${spanText(maxAgeMs)}${failure}`)),
        );
      const afterValue = (answer: SeenAnswer<T>): Observable<StreamHealth> => {
        newest = answer.asked;
        failure = '';
        if (stuck !== undefined && isStuck(answer)) return of(unhealthy(`${what} has not changed for more than ${spanText(stuck.maxMs)}`));
        return concat(clock.now() - answer.asked <= maxAgeMs ? of(healthy()) : EMPTY, staleLater());
      };
      return answers.pipe(
        tap((answer) => {
          if (answer.kind === 'failed') failure = `: ${answer.reason}`;
        }),
        filter((answer) => answer.kind === 'seen'),
        map((answer) => () => afterValue(answer)),
        startWith(staleLater),
        switchMap((signals) => signals()),
        distinctUntilChanged((before, after) => before.healthy === after.healthy),
      );
    });
}

/** Returns whether the id has been the same for longer than allowed. */
function stuckCheck<T>(stuck: HealthOptions<T>['stuck']): (answer: SeenAnswer<T>) => boolean {
  let id: string | undefined;
  let since: Millis = 0;
  return ({ value, asked }) => {
    if (stuck === undefined) return false;
    const newId = stuck.idOf(value);
    if (newId !== id) [id, since] = [newId, asked];
    return asked - since > stuck.maxMs;
  };
}
