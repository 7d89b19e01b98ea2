// Why a request to an exchange brought no usable answer.
import type { Millis } from '../../base/clock.ts';

/**
 * `notFound`: what was asked for does not exist. `refused`: the exchange said no, and why. `http`: any other status that is not a success, redirects
 * included. `notJson`: a success whose body is not JSON. `shape`: JSON, but not of this endpoint. `notSent`: no byte reached the server. `noReply`: the
 * request may have been executed. `tooLarge`: the answer was cut off. Only `notSent`, `refused` and `notFound` prove that an order was not placed.
 */
export type ClientErrorKind = 'notFound' | 'refused' | 'http' | 'notJson' | 'shape' | 'noReply' | 'notSent' | 'tooLarge';

export interface ClientErrorParts {
  readonly kind: ClientErrorKind;
  /** For a person: what was asked for, and what came instead. */
  readonly message: string;
  readonly status?: number | undefined;
  /** The reason as the server gave it, safe to print. */
  readonly reason?: string | undefined;
  readonly retryAfterMs?: Millis | undefined;
}

export class ClientError extends Error {
  override readonly name: string = 'ClientError';
  readonly kind: ClientErrorKind;
  /** Undefined if the server did not answer. */
  readonly status: number | undefined;
  readonly reason: string | undefined;
  /** How long the server asked us to stay away. */
  readonly retryAfterMs: Millis | undefined;

  constructor({ kind, message, status, reason, retryAfterMs }: ClientErrorParts) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}
