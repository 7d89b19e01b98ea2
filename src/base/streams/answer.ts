// The result of one request of a poll: a value or a failure; and an operator that drops results older than one already emitted.

import { defer, filter, type MonoTypeOperatorFunction } from 'rxjs';
import type { Millis } from '../clock.ts';

export interface SeenAnswer<T> {
  readonly kind: 'seen';
  readonly value: T;
  /** When the request started; the value is not older than this. */
  readonly asked: Millis;
  readonly at: Millis;
}

export interface Failed {
  readonly kind: 'failed';
  /** For a person. */
  readonly reason: string;
  readonly error: unknown;
  readonly asked: Millis;
  readonly at: Millis;
}

export type Answer<T> = SeenAnswer<T> | Failed;

/** Turns an answer with an unusable value into a failure. */
export const failed = ({ asked, at }: Pick<SeenAnswer<unknown>, 'asked' | 'at'>, reason: string): Failed => ({
  kind: 'failed',
  reason,
  error: new Error(reason),
  asked,
  at,
});

/** Drops values whose id is below the highest id so far. Equal ids pass: they report that nothing changed. Failures pass. */
export function newest<T>({
  idOf,
  compare,
}: {
  idOf: (value: T) => string;
  compare: (a: string, b: string) => number;
}): MonoTypeOperatorFunction<Answer<T>> {
  return (answers) =>
    defer(() => {
      let highest: string | undefined;
      return answers.pipe(
        filter((answer) => {
          if (answer.kind === 'failed') return true;
          const id = idOf(answer.value);
          if (highest !== undefined && compare(id, highest) < 0) return false;
          highest = id;
          return true;
        }),
      );
    });
}
