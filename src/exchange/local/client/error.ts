// Why a request to the local process returned no usable answer.
import type { Millis } from '../../../base/clock.ts';

/**
 * `notFound`: 404, the path or what it names does not exist. `refused`: the server refused in its own envelope, or gave a reason instead of one.
 * `http`: any other status outside 2xx, redirects included. `notJson`: a status of 2xx whose body is HTML or otherwise not JSON.
 * `shape`: JSON, but not the shape of this endpoint. `notSent`: no byte reached the server. `noReply`: the request may have been executed.
 * `tooLarge`: the answer was cut off.
 * Only `notSent` and a status of 4xx (except 408) prove that a write was not executed: a process that awaits a transaction also fails after sending
 * it.
 */
export type LocalErrorKind = 'notFound' | 'refused' | 'http' | 'notJson' | 'shape' | 'noReply' | 'notSent' | 'tooLarge';

interface LocalErrorParts {
  readonly kind: LocalErrorKind;
  readonly message: string;
  readonly status?: number | undefined;
  readonly reason?: string | undefined;
  readonly retryAfterMs?: Millis | undefined;
}

export class LocalError extends Error {
  override readonly name = 'LocalError';
  readonly kind: LocalErrorKind;
  /** The HTTP status, if the server answered at all. */
  readonly status: number | undefined;
  /** The reason as the server gave it, safe to print; undefined if it gave none as JSON. */
  readonly reason: string | undefined;
  /** How long the server asked to be left alone. */
  readonly retryAfterMs: Millis | undefined;

  /** `message` is for a person: what was requested, and what was returned instead, in the server's own words. */
  constructor({ kind, message, status, reason, retryAfterMs }: LocalErrorParts) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}
