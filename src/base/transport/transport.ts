// The network as a port: each request gets one reply or one failure, within a time limit.
import type { Millis } from '../clock.ts';

/** One HTTP request, in a client and in a server. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query, from the root of the origin: `/market/0/orderbook`. */
  readonly path: string;
  readonly body?: Uint8Array | undefined;
  readonly contentType?: string | undefined;
  /** The Authorization header of a request that a server received; clients never send it. */
  readonly authorization?: string | undefined;
  /** Set by a client for a POST that changes nothing at the server, such as a query with a JSON body; `isRead` decides by it. */
  readonly reads?: true | undefined;
  /** Set by a client for a request whose answer does not say what it answers: it gets a new connection, on which there was no other request. */
  readonly ownConnection?: true | undefined;
  /** In a server: all headers of the request. In a client: additional headers. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>> | undefined;
}

/** True for a request that cannot change anything: a GET, or one that the client has marked. */
export const isRead = ({ method, reads }: Pick<HttpRequest, 'method' | 'reads'>): boolean => method === 'GET' || reads === true;

/** One HTTP reply, in a client and in a server. */
export interface HttpReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Seconds, from the Retry-After header, if the server sent one. */
  readonly retryAfter?: number | undefined;
  /** In a client: seconds since 1970, from the Date header, if the server sent a valid one. */
  readonly date?: number | undefined;
  /** Additional headers of a server's reply. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In a server: called after the body was sent, to continue the reply. */
  readonly stream?: ((to: ReplyStream) => void) | undefined;
  /** In a server: resolves with the reply to send instead of this one. */
  readonly later?: Promise<HttpReply> | undefined;
}

/** A reply that can be continued. */
export interface ReplyStream {
  /** Never waits; unsent text is buffered in memory. */
  write(text: string): void;
  /** Number of unsent bytes. */
  readonly waiting: number;
  /** Calls the function when everything has been sent. */
  whenRead(read: () => void): void;
  /** Calls the function when the connection has ended, for any reason. */
  whenClosed(closed: () => void): void;
  end(): void;
}

export interface RequestLimits {
  readonly timeoutMs: Millis;
  readonly maxBytes: number;
}

/** Sends requests to one address. `jsonOver` makes a client of it. */
export interface Transport {
  /** Makes exactly one attempt and follows no redirect. Rejects with a `TransportError`. */
  request(request: HttpRequest, limits: RequestLimits): Promise<HttpReply>;
  /**
   * Call it if a reply did not belong to its request, so that no reply on these connections can be trusted: all requests in flight fail, those
   * already sent with `noReply`, and later ones use new connections. Absent if there are no connections.
   */
  reset?(reason: string): void;
  /**
   * Later requests that are not reads do not use the connection of the reply that has this body; without one, none that had such a request. Requests in
   * flight continue. Absent if there are no connections.
   */
  renew?(body?: Uint8Array): void;
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

/** Receives the events of a socket. `closed` is called once, also for a socket that never opened. */
export interface SocketListener {
  readonly opened: () => void;
  readonly message: (text: string) => void;
  readonly closed: (reason: string) => void;
}

export interface Socket {
  send(text: string): void;
  close(): void;
}

/** Opens a socket. The listener is not called before `dial` has returned. */
export type Dial = (listener: SocketListener) => Socket;
