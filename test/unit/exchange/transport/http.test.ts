// The connection pool with real sockets: requests, replies, and the name of each failure.
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { UserError } from '../../../../src/base/errors.ts';
import { httpTransport } from '../../../../src/base/transport/http.ts';
import type { HttpReply, Transport } from '../../../../src/base/transport/transport.ts';
import { type HostedClient, hostedClient } from '../../../../src/venues/client/hosted.ts';
import { PATIENCE_MS } from '../../../patience.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endings.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function transportTo(origin: string, connections = 2): Transport {
  const transport = httpTransport({ origin, connections });
  endings.push(() => transport.close());
  return transport;
}

const served = async (handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<Transport> =>
  transportTo(await listening(createServer(handler)), 1);

const limits = { timeoutMs: PATIENCE_MS, maxBytes: 1_000 };
const get = (transport: Transport, path = '/', changed: Partial<typeof limits> = {}): Promise<HttpReply> =>
  transport.request({ method: 'GET', path }, { ...limits, ...changed });

test('method, path, body and content type go out; status, content type and body come back', async () => {
  const transport = await served((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(201, { 'content-type': 'text/plain' });
      response.end(`${request.method} ${request.url} ${request.headers['content-type']} ${Buffer.concat(chunks).toString('hex')}`);
    });
  });
  const body = new Uint8Array([0, 255, 10]);
  const reply = await transport.request({ method: 'POST', path: '/action?x=1', body, contentType: 'application/octet-stream' }, limits);
  expect(reply).toMatchObject({ status: 201, contentType: 'text/plain', retryAfter: undefined });
  expect(Buffer.from(reply.body).toString()).toBe('POST /action?x=1 application/octet-stream 00ff0a');
});

test('the Date header comes back in seconds, and nothing without a valid one', async () => {
  const transport = await served(({ url }, response) => {
    response.sendDate = false;
    if (url === '/dated') response.setHeader('date', 'Thu, 20 Nov 2025 10:00:00 GMT');
    if (url === '/wrong') response.setHeader('date', 'yesterday');
    response.end('ok');
  });
  const dates = [await get(transport, '/dated'), await get(transport, '/wrong'), await get(transport, '/none')].map(({ date }) => date);
  expect(dates).toEqual([Date.UTC(2025, 10, 20, 10) / 1_000, undefined, undefined]);
});

test('one connection serves many requests', async () => {
  const ports = new Set<number | undefined>();
  const transport = await served((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('ok');
  });
  for (let count = 0; count < 5; count++) await get(transport);
  expect(ports.size).toBe(1);
});

test('a redirect is returned, not followed', async () => {
  const paths: (string | undefined)[] = [];
  const transport = await served((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect((await get(transport, '/here')).status).toBe(307);
  expect(paths).toEqual(['/here']);
});

test('Retry-After in seconds, or as a date relative to the date of the reply', async () => {
  const headers: Record<string, Record<string, string>> = {
    '/seconds': { 'retry-after': '7' },
    '/date': { date: 'Thu, 20 Nov 2025 10:00:00 GMT', 'retry-after': 'Thu, 20 Nov 2025 10:01:30 GMT' },
    '/nonsense': { 'retry-after': 'soon' },
  };
  const transport = await served((request, response) => response.writeHead(429, headers[request.url ?? '']).end());
  expect((await get(transport, '/seconds')).retryAfter).toBe(7);
  expect((await get(transport, '/date')).retryAfter).toBe(90);
  expect((await get(transport, '/nonsense')).retryAfter).toBeUndefined();
});

test('no answer in time: the request may have been executed', async () => {
  const transport = await served((request, response) => request.url === '/connect' && response.end('open'));
  await get(transport, '/connect'); // a slow machine may take long to connect, and nothing is sent until then
  await expect(get(transport, '/', { timeoutMs: 1_000 })).rejects.toMatchObject({ kind: 'noReply', message: 'no reply within 1 s' });
});

test('the timeout covers the whole body: slow bytes do not extend it', async () => {
  const drips: NodeJS.Timeout[] = [];
  const transport = await served((_, response) => drips.push(setInterval(() => response.write('.'), 10)));
  await expect(get(transport, '/', { timeoutMs: 80 })).rejects.toMatchObject({ kind: 'noReply' });
  for (const drip of drips) clearInterval(drip);
});

test('a body above the limit is cut off, with or without a content-length', async () => {
  const transport = await served((request, response) => {
    if (request.url === '/announced') response.setHeader('content-length', 5_000);
    response.end('x'.repeat(5_000));
  });
  await expect(get(transport, '/announced')).rejects.toMatchObject({ kind: 'tooLarge', message: 'the reply exceeds 1000 bytes' });
  await expect(get(transport, '/chunked')).rejects.toMatchObject({ kind: 'tooLarge' });
  expect((await get(transport, '/chunked', { maxBytes: 5_000 })).body).toHaveLength(5_000);
});

test('an endless body is destroyed at the limit', async () => {
  const server = new EventEmitter();
  const gone = once(server, 'gone');
  const transport = await served((_, response) => {
    const pour = (): void => {
      while (!response.destroyed && response.write('x'.repeat(500)));
    };
    response.on('drain', pour).on('close', () => server.emit('gone'));
    pour();
  });
  await expect(get(transport)).rejects.toMatchObject({ kind: 'tooLarge' });
  await gone;
});

test('a connection that breaks after the request was sent is noReply', async () => {
  const transport = await served((request) => request.socket.destroy());
  await expect(get(transport)).rejects.toMatchObject({ kind: 'noReply' });
});

test('a body shorter than its content-length is noReply', async () => {
  const transport = await served((request, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('short');
    setImmediate(() => request.socket.end());
  });
  await expect(get(transport)).rejects.toMatchObject({ kind: 'noReply' });
});

test('a reply that is not HTTP is noReply', async () => {
  const origin = await listening(createTcpServer((socket) => socket.resume().end('I am not a web server\r\n\r\n')));
  await expect(get(transportTo(origin))).rejects.toMatchObject({ kind: 'noReply' });
});

test('a refused connection is notSent', async () => {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  await expect(get(transportTo(`http://127.0.0.1:${port}`))).rejects.toMatchObject({
    kind: 'notSent',
    message: expect.stringContaining('ECONNREFUSED'),
  });
  await expect(get(transportTo(`http://localhost:${port}`))).rejects.toMatchObject({
    kind: 'notSent',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

test('a name that does not resolve is notSent', async () => {
  await expect(get(transportTo('https://no-such-host.invalid'))).rejects.toMatchObject({ kind: 'notSent' });
});

test('a handshake that never ends is notSent', async () => {
  const origin = await listening(createTcpServer((socket) => endings.push(() => Promise.resolve(socket.destroy()))));
  await expect(get(transportTo(origin.replace('http:', 'https:')), '/', { timeoutMs: 50 })).rejects.toMatchObject({ kind: 'notSent' });
});

test('a request that timed out in the queue is notSent, and never sent', async () => {
  const paths: (string | undefined)[] = [];
  const server = new EventEmitter();
  const held = once(server, 'held');
  const transport = await served((request, response) => {
    paths.push(request.url);
    if (request.url === '/first') server.emit('held', response);
    else response.end('ok');
  });
  const first = get(transport, '/first');
  const [response] = (await held) as [ServerResponse];
  await expect(get(transport, '/queued', { timeoutMs: 50 })).rejects.toMatchObject({ kind: 'notSent' });
  response.end('ok');
  await first;
  await get(transport, '/later');
  expect(paths).toEqual(['/first', '/later']);
});

test('after closing nothing is sent', async () => {
  const transport = await served((_, response) => response.end('ok'));
  await transport.close();
  await expect(get(transport)).rejects.toMatchObject({ kind: 'notSent' });
});

test.each([
  ['http://example.com', 'not encrypted'],
  ['http://127.0.0.1.example.com', 'not encrypted'],
  ['http://10.0.0.1:3000', 'not encrypted'],
  ['ftp://example.com', 'not an http URL'],
  ['example.com', 'not a URL'],
  ['https://example.com/api', 'more than scheme'],
  ['https://example.com/?x=1', 'more than scheme'],
])('%s is refused: %s', (origin, reason) => {
  expect(() => httpTransport({ origin, connections: 1 })).toThrow(UserError);
  expect(() => httpTransport({ origin, connections: 1 })).toThrow(reason);
});

test('a password in the address is refused without being repeated', () => {
  expect(() => httpTransport({ origin: 'https://me:hunter2@example.com', connections: 1 })).toThrow(
    expect.objectContaining({ code: 'origin', message: expect.not.stringContaining('hunter2') }),
  );
});

test.each(['https://example.com', 'https://example.com/', 'http://localhost:3000', 'http://127.0.0.1:1', 'http://[::1]:3000'])(
  '%s is accepted',
  (origin) => {
    transportTo(origin);
  },
);

test('however many requests fail, sockets never exceed the connections, and all are closed', async () => {
  const most = { open: 0, now: 0 };
  const server = createServer((request) => request.socket.destroy());
  server.on('connection', (socket) => {
    most.open = Math.max(most.open, ++most.now);
    socket.once('close', () => most.now--);
  });
  const before = openSockets();
  const transport = transportTo(await listening(server), 3);
  for (let round = 0; round < 20; round++) await Promise.allSettled(Array.from({ length: 50 }, () => get(transport)));
  expect(most.open).toBeGreaterThan(1);
  expect(most.open).toBeLessThanOrEqual(3);
  expect(openSockets()).toBeLessThanOrEqual(before + 2 * 3);
  const refused = transportTo('http://127.0.0.1:1', 3);
  for (let round = 0; round < 20; round++) await Promise.allSettled(Array.from({ length: 50 }, () => get(refused)));
  expect(openSockets()).toBeLessThanOrEqual(before + 2 * 3);
});

const openSockets = (): number => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCPSocket')).length;

const page = (path = ''): string =>
  path.startsWith('/market/')
    ? JSON.stringify({ updateId: path, bids: [[1, 1]], asks: [[2, 1]] }).replace(/"updateId":"[^"]*(\d)[^"]*"/, '"updateId":"$1"')
    : path === '/timestamp'
      ? '1763632800'
      : 'null';

/** The first reply of each connection is right; `shifted` says whether later ones are one behind. */
const shifting = async (shifted: () => boolean): Promise<{ transport: Transport; client: HostedClient }> => {
  const last = new WeakMap<object, string>();
  const server = createServer((request, response) => {
    const own = page(request.url);
    const before = last.get(request.socket);
    last.set(request.socket, own);
    response.end(shifted() && before !== undefined ? before : own);
  });
  const transport = transportTo(await listening(server), 1);
  return { transport, client: hostedClient({ transport }) };
};

describe('a server that answers with the reply to the request before', () => {
  test('is detected by an answer of another kind, and replaced by new connections', async () => {
    let on = false;
    const { client } = await shifting(() => on);
    await client.orderbook(0);
    on = true;
    await expect(client.timestamp()).rejects.toThrow(/answered with the answer to another request: all connections are closed/);
    expect(await client.timestamp()).toBe(1_763_632_800);
  });

  test('is detected by the order book of another market', async () => {
    let on = false;
    const { client } = await shifting(() => on);
    await client.orderbook(0);
    on = true;
    await expect(client.orderbook(1)).rejects.toThrow(/the order book of another market: all connections are closed/);
    expect((await client.orderbook(1)).updateId).toBe('1');
  });

  test('gives an action on a connection of its own its own answer', async () => {
    const { transport } = await shifting(() => true);
    const act = async (path: string, own?: true): Promise<string> => {
      const request = { method: 'POST', path, body: new Uint8Array(1), ownConnection: own } as const;
      return new TextDecoder().decode((await transport.request(request, limits)).body);
    };
    await act('/market/0');
    expect(await act('/timestamp')).toBe(page('/market/0'));
    expect(await Promise.all([act('/timestamp', true), act('/other', true)])).toEqual([page('/timestamp'), page('/other')]);
    expect(await act('/other')).toBe(page('/timestamp'));
  });
});

test('closing ends an action on a connection of its own', async () => {
  const arrivals = new EventEmitter();
  const arrival = once(arrivals, 'arrived');
  const transport = await served(() => void arrivals.emit('arrived'));
  const hanging = expect(transport.request({ method: 'POST', path: '/', ownConnection: true }, limits)).rejects.toMatchObject({
    kind: 'noReply',
    message: expect.stringContaining('closed'),
  });
  await arrival;
  await transport.close();
  await hanging;
});

test('reset aborts requests in flight, which may have been executed; queued requests are notSent', async () => {
  const arrivals = new EventEmitter();
  const arrival = once(arrivals, 'arrived');
  const transport = await served((request, response) => {
    if (request.url === '/hangs') return void arrivals.emit('arrived');
    response.end('ok');
  });
  const hanging = expect(get(transport, '/hangs')).rejects.toMatchObject({
    kind: 'noReply',
    message: expect.stringContaining('one behind'),
  });
  await arrival;
  const waiting = expect(get(transport, '/waits')).rejects.toMatchObject({ kind: 'notSent' });
  transport.reset?.('one behind');
  await Promise.all([hanging, waiting]);
  expect((await get(transport)).status).toBe(200);
});

test('renew sends later actions on another connection; reads keep theirs', async () => {
  const ports: string[] = [];
  const transport = await served((request, response) => {
    ports.push(`${request.method} ${request.socket.remotePort}`);
    response.end('ok');
  });
  const post = (): Promise<HttpReply> => transport.request({ method: 'POST', path: '/', body: new Uint8Array(1) }, limits);
  for (const ask of [post, post, () => get(transport)]) await ask();
  transport.renew?.();
  for (const ask of [post, () => get(transport)]) await ask();
  const [first, second, read, third, again] = ports;
  expect([second, again]).toEqual([first, read]);
  expect(third).not.toBe(first);
  await transport.request({ method: 'POST', path: '/', body: new Uint8Array(1), reads: true }, limits);
  expect(ports.at(-1), 'a POST that reads').toBe(read?.replace('GET', 'POST'));
});

test('an answer after the transport was closed opens and closes nothing', async () => {
  const transport = await served((_, response) => response.end('ok'));
  expect((await get(transport)).status).toBe(200);
  await transport.close();
  transport.renew?.();
  transport.reset?.('late');
  await expect(get(transport)).rejects.toMatchObject({ kind: 'notSent' });
});
