// The error of a request that brought no usable answer, and a function that sends one request and turns a failure of the transport into such an error.
import type { Millis } from '../clock.ts';
import { type HttpReply, type HttpRequest, type RequestLimits, type Transport, TransportError } from './transport.ts';

/**
 * `notFound`: the requested item does not exist. `refused`: the exchange refused with a reason. `http`: any other status that is not a success,
 * redirects included. `notJson`: a success whose body is not JSON. `shape`: JSON of another shape than this endpoint's. `notSent`: no byte reached
 * the server. `noReply`: the request may have been executed. `tooLarge`: the answer was cut off. Only `notSent` and `refused` prove that an action
 * was not executed, and `notFound` that an order to cancel is not there.
 */
export type ClientErrorKind = 'notFound' | 'refused' | 'http' | 'notJson' | 'shape' | 'noReply' | 'notSent' | 'tooLarge';

/** What a `ClientError` is made of. */
export interface ClientErrorParts {
  readonly kind: ClientErrorKind;
  /** For people: the request, and the answer or failure. */
  readonly message: string;
  readonly status?: number | undefined;
  /** The server's reason, safe to print. */
  readonly reason?: string | undefined;
  readonly retryAfterMs?: Millis | undefined;
}

/** The error of a failed request; `kind` says what it proves. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError';
  readonly kind: ClientErrorKind;
  /** Undefined if the server did not answer. */
  readonly status: number | undefined;
  readonly reason: string | undefined;
  /** The wait that the server requested. */
  readonly retryAfterMs: Millis | undefined;

  constructor({ kind, message, status, reason, retryAfterMs }: ClientErrorParts) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Returns the answer, or `instead` after a ClientError (only one of `kind`, if that is given). Rejects with any other error. */
export async function orElse<T, D>(asked: Promise<T>, instead: D, kind?: ClientErrorKind): Promise<T | D> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ClientError && (kind === undefined || error.kind === kind)) return instead;
    throw error;
  }
}

interface RequestOptions extends RequestLimits {
  /** The request, for messages. */
  readonly what: string;
}

/** Returns the wait that the server requested by Retry-After; undefined if none. */
export const retryAfterMsIn = ({ retryAfter }: HttpReply): Millis | undefined =>
  retryAfter === undefined ? undefined : retryAfter * 1_000;

/** Returns an addition to an error message if the status is a redirect; otherwise an empty text. */
export const redirectText = (status: number): string => (status >= 300 && status < 400 ? ', a redirect, which is not followed' : '');

/** Sends a request once. Rejects with a ClientError of the transport error's kind. */
export async function replyTo(
  transport: Transport,
  request: HttpRequest,
  { what, timeoutMs, maxBytes }: RequestOptions,
): Promise<HttpReply> {
  try {
    return await transport.request(request, { timeoutMs, maxBytes });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    throw new ClientError({ kind: error.kind, message: `${what}: ${error.message}` });
  }
}
