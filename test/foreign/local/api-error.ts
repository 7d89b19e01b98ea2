// Error replies of the local API, in the form of the document or of the real process.
import type { ServerReply } from '../faults.ts';
import type { Differences } from './differences.ts';

/** `unreadable`: the body is not JSON. */
export type ApiErrorKind = 'unknown' | 'malformed' | 'unreadable' | 'refused';

/** Thrown anywhere while a request is handled; becomes the reply. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;

  constructor(kind: ApiErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Thrown if the request must stay unanswered. */
export class NoReply extends Error {}

/** Returns the reply to an error. For an unknown market or order the real process answers with the text of a TypeError. */
export function errorReply({ kind, message }: ApiError, differences: Differences): ServerReply {
  if (!differences.bareErrors) return { status: kind === 'unknown' ? 404 : 400, json: { success: false, message, result: null } };
  const text = kind === 'unknown' ? "Cannot read properties of undefined (reading 'address')" : message;
  return { status: kind === 'unreadable' ? 400 : 500, json: { message: text } };
}

export function notFoundReply({ method, path }: { method: string; path: string }, differences: Differences): ServerReply {
  if (!differences.htmlNotFound)
    return { status: 404, json: { success: false, message: `nothing answers ${method} ${path}`, result: null } };
  return { status: 404, html: `<!DOCTYPE html>\n<html><body><pre>Cannot ${method} ${encodeURI(path)}</pre></body></html>\n` };
}
