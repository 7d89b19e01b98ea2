// Sends one request over a transport. Turns a transport failure into the error of a client.
import type { Millis } from '../clock.ts';
import { ClientError } from './client-error.ts';
import type { HttpReply, HttpRequest, RequestLimits, Transport } from './transport.ts';
import { TransportError } from './transport.ts';

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
export async function replyTo(transport: Transport, request: HttpRequest, { what, ...limits }: RequestOptions): Promise<HttpReply> {
  try {
    return await transport.request(request, limits);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    throw new ClientError({ kind: error.kind, message: `${what}: ${error.message}` });
  }
}
