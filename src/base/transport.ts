// The network as a port: one request, one reply or one failure, always within a time limit.
import type { Millis } from './clock.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query, from the root of the origin: `/market/0/orderbook`. */
  readonly path: string;
  readonly body?: Uint8Array | undefined;
  readonly contentType?: string | undefined;
  /** The header of this name, of a request that a server received; no client sends it. */
  readonly authorization?: string | undefined;
  /** All headers, of a request that a server received; further ones, of a request of a client. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>> | undefined;
}

export interface HttpReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Seconds, from the Retry-After header, if the server sent one. */
  readonly retryAfter?: number | undefined;
  /** Further headers that a server sends. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of a server: called when the body was sent, which is then not the end of the reply. */
  readonly stream?: ((to: ReplyStream) => void) | undefined;
  /** Of a server: the reply that is sent in place of this one, when it is known. */
  readonly later?: Promise<HttpReply> | undefined;
}

/** The open end of a reply. */
export interface ReplyStream {
  /** Never waits; what the client has not read yet is kept in memory. */
  write(text: string): void;
  /** How many bytes the client has not read yet. */
  readonly waiting: number;
  /** Calls the function when the client has read everything. */
  whenRead(read: () => void): void;
  /** Calls the function when the connection has ended, for any reason. */
  whenClosed(closed: () => void): void;
  end(): void;
}

export interface RequestLimits {
  readonly timeoutMs: Millis;
  readonly maxBytes: number;
}

export interface Transport {
  /** Makes exactly one attempt and follows no redirect. Rejects with a `TransportError`. */
  request(request: HttpRequest, limits: RequestLimits): Promise<HttpReply>;
  /**
   * A reply did not belong to its request, so none on these connections can be trusted: all requests in flight fail, those already sent as `noReply`,
   * and later ones use new connections. Absent if there are no connections.
   */
  reset?(reason: string): void;
  /** Later POST and DELETE requests use new connections; requests in flight continue. Absent if there are no connections. */
  renew?(): void;
  close(): Promise<void>;
}

/**
 * `notSent`: no byte of the request can have reached the server (refused, not resolved). `noReply`: it may have been executed; `tooLarge`: the reply
 * was cut off.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly kind: 'notSent' | 'noReply' | 'tooLarge';

  constructor(kind: 'notSent' | 'noReply' | 'tooLarge', message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A server without sockets: answers a request at once. */
export type Handler = (request: HttpRequest) => HttpReply;

/** What happens on a socket. `closed` comes once, also for a socket that never opened. */
export interface SocketListener {
  readonly opened: () => void;
  readonly message: (text: string) => void;
  readonly closed: (reason: string) => void;
}

export interface Socket {
  send(text: string): void;
  close(): void;
}

/** Opens a socket. The listener hears nothing before `dial` has returned. */
export type Dial = (listener: SocketListener) => Socket;
