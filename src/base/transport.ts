// The network as a port: one request, one reply or one failure, always within a time.
import type { Millis } from './clock.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query, from the root of the origin: `/market/0/orderbook`. */
  readonly path: string;
  readonly body?: Uint8Array | undefined;
  readonly contentType?: string | undefined;
}

export interface HttpReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Seconds, from the header of that name, where the server sent one. */
  readonly retryAfter?: number | undefined;
}

export interface Transport {
  /** Exactly one attempt; follows no redirect. Rejects with a `TransportError`. */
  request(request: HttpRequest, limits: { timeoutMs: Millis; maxBytes: number }): Promise<HttpReply>;
  /**
   * An answer was not one to what was asked, so none on these connections can be trusted: all requests under way fail, those that have left as `noReply`, and
   * later ones leave on new connections. Absent where there are no connections.
   */
  reset?(reason: string): void;
  /** Later POST and DELETE requests leave on new connections; what is under way goes on. Absent where there are no connections. */
  renew?(): void;
  close(): Promise<void>;
}

/**
 * `notSent`: no byte of the request can have reached the server (refused, not resolved).
 * `noReply`: it may have been executed; `tooLarge`: the reply was cut off.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly kind: 'notSent' | 'noReply' | 'tooLarge';

  constructor(kind: 'notSent' | 'noReply' | 'tooLarge', message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A server without its sockets: what answers a request, at once. */
export type Handler = (request: HttpRequest) => HttpReply;
