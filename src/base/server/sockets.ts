// Serves websockets. A client whose unsent buffer is full is disconnected.
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { every, type Millis, systemClock } from '../clock.ts';
import { refuseBrowserRequest } from './browser-requests.ts';
import { INTERNAL_ERROR, jsonReply, RefusedRequest, responseText, type WriteRefusal } from './reply.ts';

/** Returns a function that starts the streams of a path. Throws `RefusedRequest` for a path without streams. */
export type OpenStreams = (path: string) => StartStreams;
/**
 * Starts streams, which call `send` with each frame. Returns a function that stops them. A stream that wants the client's messages passes a
 * function to `listen`; otherwise they are ignored.
 */
type StartStreams = (send: (text: string) => void, listen?: (onMessage: (text: string) => void) => void) => () => void;

export interface SocketOptions {
  readonly open: OpenStreams;
  /** True if a request must name the server's port in its `Host`. */
  readonly exactHost: boolean;
  readonly writeRefusal: WriteRefusal;
  readonly onBug: (thrown: unknown) => void;
}

const MAX_SOCKETS = 64;
/** Largest message of a client. */
const MAX_MESSAGE_BYTES = 1024;
/** Largest unsent buffer per client. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** Interval of pings. A client that has not answered one when the next is due is disconnected. */
const PING_INTERVAL: Millis = 30_000;

/** Serves websockets beside HTTP. Returns a function that closes them all. */
export function serveSockets(server: Server, options: SocketOptions): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  const answered = new WeakSet<WebSocket>();
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const startStreams = accepted(server, { request, socket, isFull: sockets.clients.size >= MAX_SOCKETS }, options);
    if (startStreams === undefined) return;
    sockets.handleUpgrade(request, socket, head, (client) => {
      const stopStreams = startStreams(
        (text) => sendTo(client, text),
        (onMessage) => client.on('message', (data: Buffer) => onMessage(data.toString())),
      );
      answered.add(client);
      client.on('pong', () => answered.add(client));
      client.on('error', () => client.terminate());
      client.on('close', stopStreams);
    });
  });
  const stopPings = every(systemClock, PING_INTERVAL, () => {
    for (const client of sockets.clients) {
      if (answered.delete(client)) client.ping();
      else client.terminate();
    }
  });
  return () => {
    stopPings();
    for (const client of sockets.clients) client.terminate();
  };
}

function sendTo(client: WebSocket, text: string): void {
  if (client.readyState !== client.OPEN) return;
  if (client.bufferedAmount > MAX_WAITING_BYTES) client.terminate();
  else client.send(text);
}

/** Returns a function that starts the streams; undefined for a request that was refused. */
function accepted(
  server: Server,
  { request, socket, isFull }: { request: IncomingMessage; socket: Duplex; isFull: boolean },
  { open, exactHost, writeRefusal, onBug }: SocketOptions,
): StartStreams | undefined {
  const refuse = (status: number, body: Parameters<WriteRefusal>[0]): undefined => {
    socket.end(responseText(`${status} Refused`, jsonReply(writeRefusal(body), status)));
    return undefined;
  };
  const { port } = server.address() as AddressInfo;
  const refusal = refuseBrowserRequest(request.headers, exactHost ? port : undefined);
  if (refusal !== undefined) return refuse(refusal.status, { message: refusal.message });
  if (isFull) return refuse(503, { message: `at most ${MAX_SOCKETS} websockets are served` });
  try {
    return open(request.url ?? '');
  } catch (thrown) {
    if (thrown instanceof RefusedRequest) return refuse(thrown.status, thrown.body);
    onBug(thrown);
    return refuse(500, INTERNAL_ERROR);
  }
}
