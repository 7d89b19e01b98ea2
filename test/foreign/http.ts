// The HTTP server of the exchange, on loopback: JSON for GET requests, binary receipts for actions.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServerReply } from './faults.ts';
import { writeJson } from './json.ts';

export interface Handlers {
  /** Delay of the next GET, in milliseconds. */
  delayMs(): number;
  get(path: string, query: ReadonlyMap<string, string>): ServerReply;
  schema(): string;
  /** Returns the framed receipt; undefined if the action is executed but the reply is lost. */
  action(body: Uint8Array): Uint8Array | undefined;
  /** Called once per request, before the answer. */
  count(method: string, path: string): void;
}

const MAX_ACTION_BYTES = 1_024;

/** Serves on 127.0.0.1; a free port by default. */
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

/** A request, from a socket or from the same process. */
export interface Request {
  readonly method: string;
  /** Includes the query string. */
  readonly path: string;
  readonly contentType?: string | undefined;
  readonly body?: Uint8Array | undefined;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Returns the answer; undefined if the action is executed but the reply is lost. */
export function handle(handlers: Handlers, { method, path, contentType, body = new Uint8Array() }: Request): Answer | undefined {
  const { pathname, searchParams } = new URL(path, 'http://loopback');
  if (method === 'GET' && pathname === '/schema.proto') {
    return { status: 200, contentType: 'text/plain; charset=utf-8', body: Buffer.from(handlers.schema()) };
  }
  if (method === 'GET') return answerOf(handlers.get(pathname, new Map(searchParams)));
  if (method !== 'POST' || pathname !== '/action') return answerOf({ status: 404, json: null });
  if (contentType !== BYTES) return answerOf({ status: 415, json: { expected: BYTES } });
  if (body.length > MAX_ACTION_BYTES) return answerOf({ status: 413, json: { limit: MAX_ACTION_BYTES } });
  const receipt = handlers.action(body);
  return receipt === undefined ? undefined : { status: 200, contentType: BYTES, body: receipt };
}

const BYTES = 'application/octet-stream';

async function respond(handlers: Handlers, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url: path = '/', headers } = request;
  handlers.count(method, path);
  if (method === 'GET') await wait(handlers.delayMs(), undefined, { ref: false });
  const answer = handle(handlers, { method, path, contentType: headers['content-type'], body: await readBody(request) });
  if (answer === undefined) response.destroy();
  else response.writeHead(answer.status, { 'content-type': answer.contentType }).end(answer.body);
}

const answerOf = (sent: ServerReply): Answer =>
  'html' in sent
    ? { status: sent.status, contentType: 'text/html', body: Buffer.from(sent.html) }
    : { status: sent.status, contentType: 'application/json', body: Buffer.from(writeJson(sent.json)) };

/** Reads the body up to the first chunk that exceeds the length limit of actions. */
async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    if (length <= MAX_ACTION_BYTES) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks);
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
