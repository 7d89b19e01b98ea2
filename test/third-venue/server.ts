// Serves the third exchange on a local port: HTTP, and the part of RFC 6455 websockets that text messages need.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { HttpRequest } from 'tickwright/venue-testing';
import { apiOf, PushHub } from './api.ts';
import type { ThirdExchange } from './exchange.ts';

export interface ThirdServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function serveThird(exchange: ThirdExchange): Promise<ThirdServer> {
  const [api, hub] = [apiOf(exchange), new PushHub(exchange)];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const asked: HttpRequest = {
        method: request.method as HttpRequest['method'],
        path: request.url ?? '/',
        headers: request.headers,
        body,
      };
      const { status, contentType, body: answer } = api(asked);
      response.writeHead(status, { 'content-type': contentType }).end(answer);
    });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => upgrade(request, socket, hub));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** The GUID of RFC 6455, section 1.3. */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const [TEXT, CLOSE] = [0x1, 0x8];

function upgrade(request: IncomingMessage, socket: Socket, hub: PushHub): void {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${MAGIC}`).digest('base64');
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  const { onMessage, onClose } = hub.subscribe((text) => {
    if (socket.writable) socket.write(frameOf(Buffer.from(text)));
  });
  let rest = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('close', onClose);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let frame = firstFrame(rest); frame !== undefined; frame = firstFrame(rest)) {
      rest = rest.subarray(frame.length);
      if (frame.kind === CLOSE) socket.end();
      else if (frame.kind === TEXT) onMessage(frame.payload.toString());
    }
  });
}

/** Returns a server frame, which is not masked. */
function frameOf(payload: Buffer): Buffer {
  const head = Buffer.alloc(payload.length < 126 ? 2 : 10);
  head[0] = 0x80 | TEXT;
  head[1] = payload.length < 126 ? payload.length : 127;
  if (payload.length >= 126) head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

/** Returns the first client frame, unmasked; undefined while it is incomplete. */
function firstFrame(bytes: Buffer): { kind: number; payload: Buffer; length: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes[1]! & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start + 4) return undefined;
  const size = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const length = start + 4 + size;
  if (bytes.length < length) return undefined;
  const mask = bytes.subarray(start, start + 4);
  const payload = Buffer.from(bytes.subarray(start + 4, length).map((byte, index) => byte ^ mask[index % 4]!));
  return { kind: bytes[0]! & 0x0f, payload, length };
}
