// An error that the user can fix, with a message and a hint.

/** The place in a user's file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** The CLI prints it as one message, without a stack trace, with exit code 2; 1 if the error's `code` is `exchange`. */
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

/** Returns the message of a thrown value. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
