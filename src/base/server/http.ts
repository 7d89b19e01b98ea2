// Serves a handler on a loopback port: node:http, with limits that keep one hostile client from disturbing the others.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Millis } from '../clock.ts';
import { messageOf, UserError } from '../errors.ts';
import type { Handler, HttpReply, HttpRequest, ReplyStream } from '../transport/transport.ts';
import { refuseBrowserRequest } from './browser-requests.ts';
import { INTERNAL_ERROR, jsonReply, responseText, unchanged, type WriteRefusal } from './reply.ts';
import { type OpenStreams, serveSockets } from './sockets.ts';

export interface Served {
  /** Without a slash at the end. */
  readonly url: string;
  /** Stops listening and ends every connection, idle ones too. */
  close(): Promise<void>;
}

export interface ServeOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  readonly host: '127.0.0.1';
  /** Called with an error that a handler threw, which is a bug. The client gets a 500 and the server continues. */
  readonly onBug: (thrown: unknown) => void;
  readonly limits?: HttpLimits | undefined;
  /** Writes the body of the server's own refusals. */
  readonly writeRefusal?: WriteRefusal | undefined;
  /** Sent with every reply. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** True if a request must name the server's port in its `Host`. */
  readonly exactHost?: boolean | undefined;
  /** Websockets on the same port; none by default. */
  readonly streams?: OpenStreams | undefined;
}

export interface HttpLimits {
  /** A request's headers must be complete within this time, counted from the connection's start. */
  readonly headersMs: Millis;
  /** The whole request must arrive within this time. */
  readonly requestMs: Millis;
  /** A connection without traffic is closed after this time, between two requests or during an answer that the client does not read. */
  readonly idleMs: Millis;
  readonly connections: number;
}

const DEFAULT_LIMITS: HttpLimits = { headersMs: 5_000, requestMs: 10_000, idleMs: 30_000, connections: 512 };
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_BODY_BYTES = 64 * 1024;
/** A body that is too large is read up to this size, so that the client receives the reason of the refusal; then the connection is closed. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;
const METHODS: readonly string[] = ['GET', 'POST', 'DELETE'] satisfies HttpRequest['method'][];

/** Starts a server. Rejects with a `UserError` if the port cannot be used. */
export async function serve(handler: Handler, options: ServeOptions): Promise<Served> {
  const { port, host, onBug, limits = DEFAULT_LIMITS, writeRefusal = unchanged, headers = {}, exactHost = false, streams } = options;
  const refuse: Refuse = (status, body) => jsonReply(writeRefusal(body), status);
  const ownPort = (): number | undefined => (exactHost ? (server.address() as AddressInfo).port : undefined);
  const answering: Answering = { handler: guarded(handler, { onBug, refuse }), refuse, port: ownPort, headers, onBug };
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: Math.ceil(limits.headersMs / 10),
    },
    (request, response) => answer(request, response, answering),
  );
  server.maxConnections = limits.connections;
  server.timeout = limits.idleMs;
  server.on('clientError', (error, socket) => refuseInvalidHttp(error, socket as Socket, refuse));
  const endSockets = streams === undefined ? undefined : serveSockets(server, { open: streams, exactHost, writeRefusal, onBug });
  await listening(server, { port, host });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${bound}`,
    close() {
      endSockets?.();
      return closed(server);
    },
  };
}

type Refuse = (status: number, body: { message: string; limit?: number }) => HttpReply;

/** Turns an error that the handler throws into a 500. */
const guarded =
  (handler: Handler, { onBug, refuse }: { onBug: (thrown: unknown) => void; refuse: Refuse }): Handler =>
  (request) => {
    try {
      return handler(request);
    } catch (thrown) {
      onBug(thrown);
      return refuse(500, INTERNAL_ERROR);
    }
  };

interface Answering {
  readonly handler: Handler;
  readonly refuse: Refuse;
  /** Returns the port that a request must name; undefined if it may name any. */
  readonly port: () => number | undefined;
  /** Sent with every reply. */
  readonly headers: Readonly<Record<string, string>>;
  readonly onBug: (thrown: unknown) => void;
}

/** Answers at once if the request has no body and the handler needs no time: most requests are such, and a promise costs more than they do. */
function answer(request: IncomingMessage, response: ServerResponse, answering: Answering): void {
  const withBody = (body: Uint8Array | 'tooLarge'): void => {
    const reply = replyTo(request, body, answering);
    if (reply.later === undefined) writeReply(response, reply, answering);
    else void finalReply(reply.later, answering).then((final) => writeReply(response, final, answering));
  };
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (length === '0' && encoding === undefined) withBody(NO_BODY);
  else readBody(request, withBody);
}

const NO_BODY = new Uint8Array();

function writeReply(
  response: ServerResponse,
  { status, contentType, body, retryAfter, headers, stream }: HttpReply,
  { headers: common }: Answering,
): void {
  const more = {
    ...common,
    'content-type': contentType,
    ...headers,
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  };
  if (stream === undefined) response.writeHead(status, { ...more, 'content-length': body.length }).end(body);
  else {
    response.writeHead(status, more).write(body);
    stream(replyStreamOf(response));
  }
}

async function finalReply(later: Promise<HttpReply>, { refuse, onBug }: Answering): Promise<HttpReply> {
  try {
    return await later;
  } catch (thrown) {
    onBug(thrown);
    return refuse(500, INTERNAL_ERROR);
  }
}

const replyStreamOf = (response: ServerResponse): ReplyStream => ({
  write: (text) => void response.write(text),
  get waiting() {
    return response.writableLength;
  },
  whenRead: (read) => void response.once('drain', read),
  whenClosed: (closed) => void response.once('close', closed),
  end: () => void response.end(),
});

function replyTo(
  { method = '', url = '', headers }: IncomingMessage,
  body: Uint8Array | 'tooLarge',
  { handler, refuse, port }: Answering,
): HttpReply {
  const refusal = refuseBrowserRequest(headers, port());
  if (refusal !== undefined) return refuse(refusal.status, { message: refusal.message });
  if (!METHODS.includes(method)) return refuse(405, { message: `only ${METHODS.join(', ')} are served` });
  if (body === 'tooLarge') return refuse(413, { message: `a body has at most ${MAX_BODY_BYTES} bytes`, limit: MAX_BODY_BYTES });
  const { 'content-type': contentType, authorization } = headers;
  return handler({ method: method as HttpRequest['method'], path: url, body, contentType, authorization, headers });
}

/** Reads the body of a request. `read` is not called if the client disconnects before the end. */
function readBody(request: IncomingMessage, read: (body: Uint8Array | 'tooLarge') => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    if (size > MAX_DRAINED_BYTES) request.destroy();
  });
  request.on('end', () => read(size > MAX_BODY_BYTES ? 'tooLarge' : Buffer.concat(chunks)));
  request.on('error', () => undefined); // the client is gone
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Refuses input that is not HTTP or is late. It has no response object, so the refusal is written directly to the socket. */
function refuseInvalidHttp(error: NodeJS.ErrnoException, socket: Socket, refuse: Refuse): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
  const reply = refuse(Number.parseInt(status, 10), { message: status.slice('400 '.length) });
  socket.end(responseText(status, reply), () => socket.destroy());
}

const listening = (server: Server, { port, host }: { port: number; host: string }): Promise<void> =>
  new Promise((resolve, reject) => {
    const refuse = (thrown: unknown): void => {
      const message = `port ${port} on ${host} cannot be used: ${messageOf(thrown)}`;
      reject(new UserError({ code: 'port', message, hint: 'choose another one, or 0 for a free port' }));
    };
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
