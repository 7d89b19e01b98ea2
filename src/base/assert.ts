// What must hold, or the run halts: programmer errors are never caught to carry on.

/** A broken promise inside the program; the run cancels everything and exits 70. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** Ends a `switch` over a union: a new kind is then a compile error, and a foreign one at run time is named. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable: ${JSON.stringify(value)}`);
}
