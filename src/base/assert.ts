// Assertions: a programmer error halts the run and is never caught to carry on.

/** A failed assertion: the run cancels everything and exits 70. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** Ends a `switch` over a union: a new kind is then a compile error, and an unknown one at run time is named. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable: ${JSON.stringify(value)}`);
}
