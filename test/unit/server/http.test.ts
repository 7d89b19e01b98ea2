// The HTTP server over a real socket: hostile requests are refused, and the next client is served.
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { type Served, serve } from '../../../src/base/server/http.ts';
import { jsonReply } from '../../../src/base/server/reply.ts';

const host = '127.0.0.1';
let served: Served;
let bugs: unknown[];

beforeEach(async () => {
  bugs = [];
  served = await serve(
    ({ method, path, body, contentType }) => {
      if (path === '/bug') throw new Error('a mistake');
      return path === '/busy'
        ? { ...jsonReply(null, 429), retryAfter: 3 }
        : jsonReply({ method, path, bytes: body?.length ?? 0, contentType: contentType ?? null });
    },
    { port: 0, host, onBug: (thrown) => bugs.push(thrown) },
  );
});
afterEach(() => served.close());

/** Sends a text and collects the answer until the server closes the connection. */
function raw(text: string, { end = false } = {}): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(new URL(served.url).port), host, () => (end ? socket.end(text) : socket.write(text)));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

const stillServes = async (): Promise<void> => expect((await fetch(`${served.url}/alive`)).status).toBe(200);

describe('serve', () => {
  test('passes method, path, body and content type to the handler, on loopback', async () => {
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const reply = await fetch(`${served.url}/a?b=c`, {
      method: 'POST',
      body: new Uint8Array(3),
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(await reply.json()).toEqual({ method: 'POST', path: '/a?b=c', bytes: 3, contentType: 'application/octet-stream' });
  });

  test('sends Retry-After', async () => {
    const reply = await fetch(`${served.url}/busy`);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '3']);
  });

  test.each(['HEAD', 'PUT', 'PATCH', 'OPTIONS'])('%s is 405', async (method) => {
    const reply = await fetch(`${served.url}/a`, { method });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([405, 'application/json']);
    await reply.text();
    await stillServes();
  });

  test('an error in a handler is a 500 in JSON, reported to onBug, and the server continues', async () => {
    const reply = await fetch(`${served.url}/bug`);
    expect([reply.status, await reply.json()]).toEqual([500, { message: expect.any(String) }]);
    expect(bugs).toEqual([new Error('a mistake')]);
    await stillServes();
  });

  test('a body beyond 64 KiB is 413, declared or streamed', async () => {
    const large = new Uint8Array(64 * 1024 + 1);
    const stream = new Blob([large]).stream();
    for (const body of [large, stream]) {
      const reply = await fetch(`${served.url}/a`, { method: 'POST', body, duplex: 'half' });
      expect([reply.status, await reply.json()]).toEqual([413, { message: expect.any(String) as string, limit: 65_536 }]);
    }
    await stillServes();
  });

  test('a port that is taken is a UserError', async () => {
    const port = Number(new URL(served.url).port);
    await expect(serve(() => jsonReply(null), { port, host, onBug: () => undefined })).rejects.toThrow(UserError);
  });

  test('close ends idle connections', async () => {
    const idle = raw('GET /a HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await stillServes();
    await served.close();
    expect(await idle).toContain('200 OK');
  });
});

describe('hostile clients', () => {
  test.each([
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['a request line of nonsense', 'GET\r\n\r\n', 400],
    ['huge headers', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['a negative length', 'POST /a HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n', 400],
    ['two lengths', 'POST /a HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 400],
    ['invalid chunks', 'POST /a HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 400],
  ])('%s', async (_, text, status) => {
    const answer = await raw(text);
    expect(answer).toContain(`HTTP/1.1 ${status}`);
    await stillServes();
  });

  test.each([
    ['hanging up in the middle of a body', 'POST /a HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nabc'],
    ['hanging up in the middle of a header', 'GET /a HTTP/1.1\r\nho'],
    ['hanging up at once', ''],
  ])('%s', async (_, text) => {
    await raw(text, { end: true });
    await stillServes();
  });

  test('a body without an end is cut off', async () => {
    const endless = 17 * 1024 * 1024;
    const head = `POST /a HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${2 * endless}\r\n\r\n`;
    expect(await raw(`${head}${'x'.repeat(endless)}`)).toBe('');
    await stillServes();
  });

  test('two requests in one packet get two answers in order', async () => {
    const answer = await raw('GET /1 HTTP/1.1\r\nhost: localhost\r\n\r\nGET /2 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    expect([...answer.matchAll(/"path":"(.*?)"/g)].map(([, path]) => path)).toEqual(['/1', '/2']);
  });
});

describe('slow clients', () => {
  const SLOW = [
    'GET /a',
    'GET /a HTTP/1.1\r\nhost: localhost\r\n',
    '',
    'POST /a HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nabc',
    'POST /a HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2147483648\r\n\r\nabc',
    'POST /a HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n',
  ];

  test('each times out, connections beyond the limit are refused, and the next client is served', async () => {
    await served.close();
    const limits = { headersMs: 300, requestMs: 400, idleMs: 2_000, connections: SLOW.length };
    served = await serve(() => jsonReply(null), { port: 0, host, onBug: () => undefined, limits });
    const slow = SLOW.map((text) => raw(text));
    const tooMany = SLOW.map(() => raw(''));
    for (const answer of await Promise.all(slow)) expect(answer).toContain('HTTP/1.1 408 Request Timeout');
    expect(await Promise.all(tooMany)).toEqual(SLOW.map(() => ''));
    await stillServes();
  });
});
