// Why a request to the hosted exchange returned no usable answer.
import type { Millis } from '../../../base/clock.ts';

/**
 * `notFound`: 404, what was requested does not exist. `http`: any other status that is not 200, redirects included.
 * `notJson`: a 200 whose body is HTML or otherwise not JSON. `shape`: JSON, but not the shape of this endpoint.
 * `notSent`: no byte reached the server. `noReply`: the request may have been executed. `tooLarge`: the answer was cut off.
 */
export type HostedErrorKind = 'notFound' | 'http' | 'notJson' | 'shape' | 'noReply' | 'notSent' | 'tooLarge';

export class HostedError extends Error {
  override readonly name = 'HostedError';
  readonly kind: HostedErrorKind;
  /** The HTTP status, if the server answered at all. */
  readonly status: number | undefined;
  /** How long the server asked to be left alone. */
  readonly retryAfterMs: Millis | undefined;

  /** `message` is for a person: what was requested, and what was returned instead. */
  constructor({
    kind,
    message,
    status,
    retryAfterMs,
  }: { kind: HostedErrorKind; message: string; status?: number | undefined; retryAfterMs?: Millis | undefined }) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
