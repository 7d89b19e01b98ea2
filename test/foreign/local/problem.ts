// What the local process says no to, in the words of the document's rows or of the real one's.
import type { Sent } from '../faults.ts';
import type { Rows } from './rows.ts';

/** `unreadable`: the body is no JSON. */
export type ProblemKind = 'unknown' | 'malformed' | 'unreadable' | 'refused';

/** Thrown from any depth; becomes the answer. */
export class Problem extends Error {
  readonly kind: ProblemKind;

  constructor(kind: ProblemKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Thrown where the answer never comes. */
export class Silence extends Error {}

/** `TypeError` is how the real process finds out that something does not exist. */
export function answerTo({ kind, message }: Problem, rows: Rows): Sent {
  if (!rows.bareErrors) return { status: kind === 'unknown' ? 404 : 400, json: { success: false, message } };
  const said = kind === 'unknown' ? "Cannot read properties of undefined (reading 'address')" : message;
  return { status: kind === 'unreadable' ? 400 : 500, json: { message: said } };
}

export function nothingAt({ method, path }: { method: string; path: string }, rows: Rows): Sent {
  if (!rows.htmlNotFound) return { status: 404, json: { success: false, message: `nothing answers ${method} ${path}` } };
  return { status: 404, html: `<!DOCTYPE html>\n<html><body><pre>Cannot ${method} ${encodeURI(path)}</pre></body></html>\n` };
}
