// Why a request to the local process brought no usable answer.
import type { Millis } from '../../../base/clock.ts';

/**
 * `notFound`: 404, the path or what it names does not exist. `refused`: the server said no in its own envelope, or gave a reason instead of one.
 * `http`: any other status that is not of success, redirects included. `notJson`: a status of success over HTML or otherwise no JSON.
 * `shape`: JSON, but not of this endpoint. `notSent`: no byte reached the server. `noReply`: it may have been executed. `tooLarge`: the answer was
 * cut off. That a deed was not done is proved by `notSent` and by a status of 4xx alone (408 apart): a process that awaits a transaction also fails
 * after sending it.
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
  /** Where the server answered at all. */
  readonly status: number | undefined;
  /** The reason as the server gave it, safe to print; undefined where it gave none as JSON. */
  readonly reason: string | undefined;
  /** How long the server asked us to stay away. */
  readonly retryAfterMs: Millis | undefined;

  /** `message` is for a person: what was asked for, and what came instead, in the server's own words. */
  constructor({ kind, message, status, reason, retryAfterMs }: LocalErrorParts) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}
