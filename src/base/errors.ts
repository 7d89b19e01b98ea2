// Errors: what the user can fix (`UserError`), a failed assertion (`AssertionError`), and the message of any thrown value.

/** The place in a user's file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** An error that the user can fix. The CLI prints it as one message, without a stack trace, with exit code 2; 1 if the error's `code` is `exchange`. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly code: string;
  readonly hint: string | undefined;

  constructor({ code, message, hint, place }: { code: string; message: string; hint?: string | undefined; place?: Place | undefined }) {
    super(place === undefined ? message : `${placeText(place)}: ${message}`);
    this.code = code;
    this.hint = hint;
  }
}

/** `file:line:column`, as far as they are known. */
export function placeText({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** Returns the message of a thrown value. For a file error the path is left out: `no such file or directory (ENOENT)`. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const [, code, reason] = /^(E[A-Z]+): ([^,]+), \w+ '.*'$/.exec('path' in thrown ? thrown.message : '') ?? [];
  return code === undefined ? thrown.message : `${reason} (${code})`;
}

/** A failed assertion, which is a bug of the program: the run cancels everything and exits 70. */
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
