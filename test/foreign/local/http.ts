// The HTTP server of the local process, on loopback. A request may stay unanswered.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, Request } from '../http.ts';

/** `cut`: the request is executed and the connection closed without a reply. `hangs`: the connection stays open without a reply. */
export type Outcome = Answer | 'cut' | 'hangs';

export interface RequestHandler {
  handle(request: Request): Outcome;
  /** Delay of the next answer, in milliseconds. */
  delayMs(): number;
}

const MAX_BODY_BYTES = 100_000;

/** Serves on 127.0.0.1; a free port by default. */
export async function serve(handler: RequestHandler, port = 0): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    void respond(handler, request, response).catch((error: unknown) => {
      process.stderr.write(`foreign process: ${String(error)}\n`);
      response.destroy();
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function respond(handler: RequestHandler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url: path = '/', headers } = request;
  await wait(handler.delayMs(), undefined, { ref: false });
  const outcome = handler.handle({ method, path, contentType: headers['content-type'], body: await readBody(request) });
  if (outcome === 'cut') response.destroy();
  else if (outcome !== 'hangs') response.writeHead(outcome.status, { 'content-type': outcome.contentType }).end(outcome.body);
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    if (length <= MAX_BODY_BYTES) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks);
}
