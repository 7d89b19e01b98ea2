// Drops answers that are older than an answer already emitted.
import { defer, filter, type MonoTypeOperatorFunction } from 'rxjs';
import type { Answer } from './answer.ts';

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
