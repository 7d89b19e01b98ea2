// Websockets at the byte level of RFC 6455, and who may open one.
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Served, serve } from '../../../src/base/server/http.ts';
import { badRequest, jsonReply } from '../../../src/base/server/reply.ts';
import type { OpenStreams } from '../../../src/base/server/sockets.ts';
import { PATIENCE } from '../../patience.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Streaming {
  readonly port: number;
  readonly server: Served;
  /** Sends a text to all open streams. */
  readonly send: (text: string) => void;
  readonly listeners: () => number;
}

const onBug = (thrown: unknown): never => {
  throw thrown;
};

async function startStreaming(): Promise<Streaming> {
  const sends = new Set<(text: string) => void>();
  const streams: OpenStreams = (path) => {
    if (path !== '/ws/deltas@BTCUSDC') throw badRequest('no such stream');
    return (send) => {
      sends.add(send);
      return () => sends.delete(send);
    };
  };
  const server = await serve(() => jsonReply({ ok: true }), { port: 0, host: '127.0.0.1', onBug, streams });
  closing.push(() => server.close());
  const send = (text: string): void => sends.forEach((each) => each(text));
  return { server, port: Number(new URL(server.url).port), send, listeners: () => sends.size };
}

interface Client {
  readonly socket: Socket;
  /** Resolves to the head of the answer. */
  readonly head: () => Promise<string>;
  /** Resolves to all bytes after the head in hex, once there are `count`. */
  readonly bytes: (count: number) => Promise<string>;
  readonly ended: Promise<unknown>;
}

/** Sends a request with these headers, and collects the answer. */
function ask(port: number, path: string, headers: readonly string[]): Client {
  const socket = connect(port, '127.0.0.1');
  closing.push(() => socket.destroy());
  let all = Buffer.alloc(0);
  let check: (() => void) | undefined;
  socket.on('data', (chunk: Buffer) => {
    all = Buffer.concat([all, chunk]);
    check?.();
  });
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => {
      resolve();
      check?.();
    });
  });
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  const until = <T>(found: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      check = () => {
        const value = found();
        if (value !== undefined) resolve(value);
      };
      check();
    });
  const end = (): number => all.indexOf('\r\n\r\n');
  return {
    socket,
    ended,
    head: () => until(() => (end() < 0 ? undefined : all.subarray(0, end()).toString())),
    bytes: (count) => until(() => (end() >= 0 && all.length >= end() + 4 + count ? all.subarray(end() + 4).toString('hex') : undefined)),
  };
}

/** The example of RFC 6455, 1.3. */
const upgrade = (host: string): string[] => [
  `Host: ${host}`,
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
];

test('the handshake and a text are the bytes of the standard', async () => {
  const { port, send } = await startStreaming();
  const client = ask(port, '/ws/deltas@BTCUSDC', upgrade(`127.0.0.1:${port}`));
  const head = await client.head();
  expect(head).toMatch(/^HTTP\/1.1 101 /);
  expect(head).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  send('Hello');
  expect(await client.bytes(7)).toBe('810548656c6c6f'); // RFC 6455, 5.7: a single-frame unmasked text message
  client.socket.write(Buffer.from('898537fa213d7f9f4d5158', 'hex')); // 5.7: a masked ping of Hello
  expect(await client.bytes(14)).toBe('810548656c6c6f8a0548656c6c6f');
});

test.each([
  ['another host name', (port: number) => upgrade(`attacker.example:${port}`), /^HTTP\/1.1 421 /],
  ['a page of another site', (port: number) => [...upgrade(`127.0.0.1:${port}`), 'Origin: http://attacker.example'], /^HTTP\/1.1 403 /],
  ['a page by its site', (port: number) => [...upgrade(`127.0.0.1:${port}`), 'Sec-Fetch-Site: cross-site'], /^HTTP\/1.1 403 /],
])('%s cannot open a websocket', async (_, headers, status) => {
  const { port, listeners } = await startStreaming();
  const client = ask(port, '/ws/deltas@BTCUSDC', headers(port));
  expect(await client.head()).toMatch(status);
  await client.ended;
  expect(listeners()).toBe(0);
});

test('a path without streams is refused with a message', async () => {
  const { port } = await startStreaming();
  const client = ask(port, '/ws/nothing', upgrade(`127.0.0.1:${port}`));
  expect(await client.head()).toMatch(/^HTTP\/1.1 400 /);
  expect(Buffer.from(await client.bytes(10), 'hex').toString()).toBe('{"message":"no such stream"}');
});

test('a long message of a client ends its connection, and no other', async () => {
  const { port, send, listeners } = await startStreaming();
  const [long, other] = [1, 2].map(() => ask(port, '/ws/deltas@BTCUSDC', upgrade(`127.0.0.1:${port}`))) as [Client, Client];
  await Promise.all([long.head(), other.head()]);
  long.socket.write(Buffer.from('81fe080000000000', 'hex')); // masked, of 2048 bytes
  await long.ended;
  await expect.poll(listeners, PATIENCE).toBe(1);
  send('x');
  expect(await other.bytes(3)).toBe('810178');
});

test('a client that does not read is cut off', async () => {
  const { port, send, listeners } = await startStreaming();
  const client = ask(port, '/ws/deltas@BTCUSDC', upgrade(`127.0.0.1:${port}`));
  await client.head();
  client.socket.pause();
  const text = 'x'.repeat(1024 * 1024);
  for (let sent = 0; sent < 64 && listeners() > 0; sent++) {
    send(text);
    await new Promise(setImmediate);
  }
  await expect.poll(listeners, PATIENCE).toBe(0);
});

test('a server that closes ends its sockets', async () => {
  const { port, server, listeners } = await startStreaming();
  const client = ask(port, '/ws/deltas@BTCUSDC', upgrade(`127.0.0.1:${port}`));
  await client.head();
  expect(listeners()).toBe(1);
  await server.close();
  await client.ended;
});
