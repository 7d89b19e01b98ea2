// A bad network on loopback: an HTTP proxy that loses, delays, repeats, cuts and resets requests and replies, at random from a seed.
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Rng } from '../../src/base/rng.ts';

/** Kinds of faults. `lost`: the request is lost. `unanswered`: its reply is lost. `silent`: the same, and the connection stays open. `repeated`: the request arrives twice. */
export const FAULTS = ['lost', 'unanswered', 'silent', 'late', 'answeredLate', 'cut', 'reset', 'slow', 'repeated'] as const;
export type Fault = (typeof FAULTS)[number];

/** One POST that reached the exchange. */
export interface Passed {
  readonly body: Uint8Array;
  readonly reply: Uint8Array;
}

export interface Proxy {
  readonly url: string;
  /** The requests that reached the exchange, with its replies, also those that were lost on the way back. */
  readonly passed: readonly Passed[];
  readonly counts: ReadonlyMap<Fault, number>;
  /** Ends all further faults. Delays that have begun go on. */
  calm(): void;
  /**
   * Every connection that is open now stays one answer behind until it ends: each request on it is answered with the reply to the one before. Connections that
   * are opened later are in step.
   */
  fallBehind(): void;
  /** Number of requests that got the reply to another one. */
  readonly misdelivered: number;
  /** Runs `during` while the proxy does not listen. Requests that are on their way are lost. */
  outage(during: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

export interface ProxyOptions {
  readonly target: string;
  readonly rng: Rng;
  /** Percentage of requests with a fault, by method. */
  readonly percent: Readonly<Record<'GET' | 'POST', number>>;
  /** The longest delay. */
  readonly lateMs: number;
  /** Chooses the fault; random by default. */
  readonly fault?: () => Fault | undefined;
}

interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const proxy = new FaultyProxy(options);
  await proxy.listen(0);
  return proxy;
}

interface Connection {
  newest: Reply | undefined;
  isBehind: boolean;
}

class FaultyProxy implements Proxy {
  readonly passed: Passed[] = [];
  readonly counts = new Map<Fault, number>();
  readonly #options: ProxyOptions;
  readonly #connections = new Map<Socket, Connection>();
  misdelivered = 0;
  #calm = false;
  #server: Server | undefined;
  #port = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  calm(): void {
    this.#calm = true;
  }

  fallBehind(): void {
    for (const connection of this.#connections.values()) connection.isBehind = true;
  }

  async outage(during: () => Promise<unknown>): Promise<void> {
    await this.close();
    await during();
    await this.listen(this.#port);
  }

  async listen(port: number): Promise<void> {
    const server = createServer((request, response) => {
      this.#pass(request, response).catch(() => response.destroy()); // an exchange that is down is one more fault
    });
    server.on('connection', (socket) => {
      this.#connections.set(socket, { newest: undefined, isBehind: false });
      socket.once('close', () => this.#connections.delete(socket));
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  close(): Promise<void> {
    const server = this.#server;
    return new Promise((resolve) => {
      if (server === undefined) return resolve();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const fault = this.#draw(request.method === 'POST' ? 'POST' : 'GET');
    const late = Math.floor(this.#options.rng.next() * this.#options.lateMs);
    if (fault === 'late') await wait(late);
    if (fault === 'lost' || fault === 'reset') return void (fault === 'lost' ? response.destroy() : request.socket.resetAndDestroy());
    if (fault === 'repeated') await this.#forward(request, body);
    const reply = await this.#forward(request, body);
    if (fault === 'silent') await wait(this.#options.lateMs, undefined, { ref: false });
    if (fault === 'answeredLate') await wait(late);
    if (fault === 'silent' || fault === 'unanswered') return void response.destroy();
    await answer(response, this.#delivered(request.socket, reply), fault);
  }

  #delivered(socket: Socket, reply: Reply): Reply {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return reply;
    const before = connection.newest;
    connection.newest = reply;
    if (!connection.isBehind || before === undefined) return reply;
    this.misdelivered += 1;
    return before;
  }

  #draw(method: 'GET' | 'POST'): Fault | undefined {
    if (this.#calm) return undefined;
    const { rng, percent, fault } = this.#options;
    const [happens, which] = [rng.below(100) < percent[method], FAULTS[rng.below(FAULTS.length)]];
    const drawn = fault === undefined ? (happens ? which : undefined) : fault();
    if (drawn !== undefined) this.counts.set(drawn, (this.counts.get(drawn) ?? 0) + 1);
    return drawn;
  }

  #forward({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const type = headers['content-type'];
      const sent = { ...(type !== undefined && { 'content-type': type }), ...(body.length > 0 && { 'content-length': body.length }) };
      const onward = httpRequest(`${this.#options.target}${url}`, { method, headers: sent }, (incoming) => {
        bodyOf(incoming).then((reply) => {
          if (method === 'POST') this.passed.push({ body, reply });
          resolve({ status: incoming.statusCode ?? 502, contentType: incoming.headers['content-type'] ?? '', body: reply });
        }, reject);
      });
      onward.once('error', reject).end(body);
    });
  }
}

/** `cut`: the body is shorter than its content-length. `slow`: the body is sent in two parts. */
async function answer(response: ServerResponse, { status, contentType, body }: Reply, fault: Fault | undefined): Promise<void> {
  response.writeHead(status, { 'content-type': contentType, 'content-length': body.length });
  const half = Math.floor(body.length / 2);
  if (fault === 'cut') return void response.write(body.subarray(0, half), () => response.destroy());
  if (fault === 'slow') {
    response.write(body.subarray(0, half));
    await wait(300);
    return void response.end(body.subarray(half));
  }
  response.end(body);
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
