// The exchange's door: node:http on loopback, GETs answered in JSON, actions in bytes.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Reply, Sent } from './faults.ts';
import { writeJson } from './json.ts';

export interface Handlers {
  /** How long the next GET takes, in milliseconds. */
  delayMs(): number;
  get(path: string, query: ReadonlyMap<string, string>): Sent;
  schema(): string;
  /** Framed receipt; undefined = executed, but the line goes dead. */
  action(body: Uint8Array): Uint8Array | undefined;
  /** Called once a request, with its method and path. */
  count(request: string): void;
}

const MAX_ACTION_BYTES = 1_024;

/** Serves on a free port of 127.0.0.1, or on the given one. */
export async function serve(handlers: Handlers, port = 0): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    void respond(handlers, request, response).catch((error: unknown) => {
      process.stderr.write(`foreign exchange: ${String(error)}\n`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${portOf(server)}`, close: () => close(server) };
}

async function respond(handlers: Handlers, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://loopback');
  handlers.count(`${request.method} ${pathname}`);
  if (request.method === 'GET') {
    await wait(handlers.delayMs(), undefined, { ref: false });
    if (pathname === '/schema.proto') return void response.setHeader('content-type', 'text/plain; charset=utf-8').end(handlers.schema());
    return send(response, handlers.get(pathname, new Map(searchParams)));
  }
  if (request.method !== 'POST' || pathname !== '/action') return send(response, { status: 404, json: null });
  if (request.headers['content-type'] !== 'application/octet-stream') {
    return send(response, { status: 415, json: { expected: 'application/octet-stream' } });
  }
  const body = await readBody(request);
  if (body === undefined) return send(response, TOO_LARGE);
  const receipt = handlers.action(body);
  if (receipt === undefined) response.destroy();
  else response.setHeader('content-type', 'application/octet-stream').end(receipt);
}

const TOO_LARGE: Reply = { status: 413, json: { limit: MAX_ACTION_BYTES } };

function send(response: ServerResponse, sent: Sent): void {
  response.statusCode = sent.status;
  response.setHeader('content-type', 'html' in sent ? 'text/html' : 'application/json');
  response.end('html' in sent ? sent.html : writeJson(sent.json));
}

/** All of it, or undefined where it is longer than an action can be. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length <= MAX_ACTION_BYTES) chunks.push(chunk);
  }
  return length > MAX_ACTION_BYTES ? undefined : Buffer.concat(chunks);
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return address.port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
