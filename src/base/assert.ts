// Assertions: a programmer error stops the run and is never ignored.

/** A failed assertion: the run cancels everything and exits 70. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** For checks in code that runs often, write `if (…) throw new AssertionError(…)` if the message contains values: an argument is built in each call. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** For the end of a `switch` over a union: a missing case is a compile error, and an unknown value at run time throws an error that names it. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable: ${JSON.stringify(value)}`);
}
