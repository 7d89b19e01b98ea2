// An error that is the user's to mend: what was wrong, what was expected, what to do.

/** Where in a file the user wrote it; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Printed by the CLI as one message, without a stack trace, and exit code 2; 1 where the code is `exchange`. */
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

/** `file:line:column`, as far as it is known. */
export function placeText({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** The message of anything that was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
