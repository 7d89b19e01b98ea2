// Why a request to the hosted exchange brought no usable answer.
import type { Millis } from '../../../base/clock.ts';

/**
 * `notFound`: 404, what was asked for does not exist. `http`: any other status that is not 200, redirects included.
 * `notJson`: a 200 whose body is HTML or otherwise no JSON. `shape`: JSON, but not of this endpoint.
 * `notSent`: no byte reached the server. `noReply`: it may have been executed. `tooLarge`: the answer was cut off.
 */
export type HostedErrorKind = 'notFound' | 'http' | 'notJson' | 'shape' | 'noReply' | 'notSent' | 'tooLarge';

export class HostedError extends Error {
  override readonly name = 'HostedError';
  readonly kind: HostedErrorKind;
  /** Where the server answered at all. */
  readonly status: number | undefined;
  /** How long the server asked us to stay away. */
  readonly retryAfterMs: Millis | undefined;

  /** `message` is for a person: what was asked for, and what came instead. */
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
