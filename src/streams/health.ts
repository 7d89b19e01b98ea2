// Whether a stream can be relied upon, said once a change: is its newest value young enough, and does it still move?
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
import type { Clock, Millis } from '../base/clock.ts';
import type { Answer, Seen } from './answer.ts';
import { schedulerFrom } from './scheduler.ts';
import { spanText } from './span.ts';

export interface Health {
  readonly healthy: boolean;
  /** For a person. */
  readonly reason: string;
  readonly at: Millis;
}

export interface HealthOptions<T> {
  readonly clock: Clock;
  /** What the stream brings, in words: `order book`. */
  readonly what: string;
  /** How old the newest good answer may become, counted from the start of its request. */
  readonly maxAgeMs: Millis;
  /** For how long good answers may bring one and the same id: a server that repeats itself answers promptly for ever. */
  readonly standstill?: { readonly idOf: (value: T) => string; readonly maxMs: Millis } | undefined;
}

/** Silent until the first good answer, or until `maxAgeMs` went by without one; then a signal at each change, healthy again with the next good answer. */
export function health<T>({ clock, what, maxAgeMs, standstill }: HealthOptions<T>): OperatorFunction<Answer<T>, Health> {
  const scheduler = schedulerFrom(clock);
  return (answers) =>
    defer(() => {
      const stood = standstillWatch(standstill);
      let goodSince = clock.now();
      let failure = '';
      const healthy = (): Health => ({ healthy: true, reason: `${what} seen`, at: clock.now() });
      const unhealthy = (reason: string): Health => ({ healthy: false, reason, at: clock.now() });
      const staleLater = (): Observable<Health> =>
        timer(Math.max(0, goodSince + maxAgeMs - clock.now()) + 1, scheduler).pipe(
          map(() => unhealthy(`no ${what} for ${spanText(clock.now() - goodSince)}${failure}`)),
        );
      const afterGood = (answer: Seen<T>): Observable<Health> => {
        goodSince = answer.asked;
        failure = '';
        const still = stood(answer);
        if (still !== undefined) return of(unhealthy(`${what} stands still for ${spanText(still)}`));
        return concat(clock.now() - answer.asked <= maxAgeMs ? of(healthy()) : EMPTY, staleLater());
      };
      return answers.pipe(
        tap((answer) => {
          if (answer.kind === 'failed') failure = `: ${answer.reason}`;
        }),
        filter((answer) => answer.kind === 'seen'),
        map((answer) => () => afterGood(answer)),
        startWith(staleLater),
        switchMap((signals) => signals()),
        distinctUntilChanged((before, after) => before.healthy === after.healthy),
      );
    });
}

/** For how long the id has been the same, where that is longer than allowed. */
function standstillWatch<T>(standstill: HealthOptions<T>['standstill']): (answer: Seen<T>) => Millis | undefined {
  let id: string | undefined;
  let since: Millis = 0;
  return ({ value, asked }) => {
    if (standstill === undefined) return undefined;
    const newId = standstill.idOf(value);
    if (newId !== id) [id, since] = [newId, asked];
    return asked - since > standstill.maxMs ? asked - since : undefined;
  };
}
