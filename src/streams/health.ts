// Whether a stream can be relied upon, said once a change: is its newest value young enough, and does it still move?
import { Observable, type OperatorFunction } from 'rxjs';
import type { Cancel, Clock, Millis } from '../base/clock.ts';
import type { Answer, Seen } from './answer.ts';
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
  return (answers) =>
    new Observable((subscriber) => {
      const stood = standstillWatch(standstill);
      let goodSince = clock.now();
      let failure = '';
      let healthy: boolean | undefined;
      let cancel: Cancel | undefined;
      let ended = false;
      const say = (now: boolean, reason: string): void => {
        if (now === healthy) return;
        healthy = now;
        subscriber.next({ healthy: now, reason, at: clock.now() });
      };
      const staleLater = (): void => {
        cancel = clock.at(Math.max(clock.now(), goodSince + maxAgeMs) + 1, () => {
          cancel = undefined;
          say(false, `no ${what} for ${spanText(clock.now() - goodSince)}${failure}`);
          if (ended) subscriber.complete();
        });
      };
      const heard = (answer: Answer<T>): void => {
        if (answer.kind === 'failed') {
          failure = `: ${answer.reason}`;
          return;
        }
        cancel?.();
        cancel = undefined;
        goodSince = answer.asked;
        failure = '';
        const still = stood(answer);
        if (still !== undefined) return say(false, `${what} stands still for ${spanText(still)}`);
        if (clock.now() - answer.asked <= maxAgeMs) say(true, `${what} seen`);
        if (!subscriber.closed) staleLater();
      };
      staleLater();
      subscriber.add(
        answers.subscribe({
          next: heard,
          error: (error: unknown) => subscriber.error(error),
          complete: () => {
            ended = true;
            if (cancel === undefined) subscriber.complete();
          },
        }),
      );
      return () => cancel?.();
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
