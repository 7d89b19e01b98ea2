// The requests of ccxt over transports of this program: where they go, what is not sent, and the limits of answers.
import { expect, test } from 'vitest';
import type { HttpReply, HttpRequest, Transport } from '../../../../src/base/transport/transport.ts';
import { type CcxtExchange, ccxtOf, requireNoKey } from '../../../../src/venues/ccxt/library.ts';
import { sendOver } from '../../../../src/venues/ccxt/network.ts';
import { FakeLibrary } from './fake-library.ts';

const MIB = 1024 * 1024;
const JSON_REPLY: HttpReply = { status: 200, contentType: 'application/json', body: new TextEncoder().encode('{"a":1}') };

interface Wired {
  readonly exchange: CcxtExchange;
  /** `ORIGIN METHOD PATH` of each request. */
  readonly sent: string[];
  readonly requests: HttpRequest[];
  readonly maxBytes: number[];
}

function wired({ id = 'okx', reply = JSON_REPLY }: { id?: string; reply?: HttpReply } = {}): Wired {
  const exchange = new FakeLibrary().create(id);
  const [sent, requests, maxBytes]: [string[], HttpRequest[], number[]] = [[], [], []];
  const transportTo = (origin: string): Transport => ({
    async request(request, limits) {
      sent.push(`${origin} ${request.method} ${request.path}`);
      requests.push(request);
      maxBytes.push(limits.maxBytes);
      return reply;
    },
    close: async () => undefined,
  });
  sendOver(exchange, transportTo);
  return { exchange, sent, requests, maxBytes };
}

const fetched = ({ exchange }: Wired, url: string, method = 'GET') =>
  exchange.fetchImplementation!(url, { method, headers: { 'User-Agent': 'x' } });

test('a request goes to the origin of its address, with path, query and headers, and a limit of size', async () => {
  const network = wired();
  const response = await fetched(network, 'https://api.fake.example/v1/depth?symbol=BTC%2FUSD');
  expect(network.sent).toEqual(['https://api.fake.example GET /v1/depth?symbol=BTC%2FUSD']);
  expect(network.requests[0]?.headers).toEqual({ 'User-Agent': 'x' });
  expect(network.maxBytes).toEqual([64 * MIB]);
  expect([response.status, await response.text()]).toEqual([200, '{"a":1}']);
});

test('a POST is sent only to a path that is known to read, and is marked as a read', async () => {
  const network = wired({ id: 'hyperliquid' });
  await fetched(network, 'https://api.fake.example/info', 'POST');
  expect(network.requests[0]?.reads).toBe(true);
  await expect(fetched(network, 'https://api.fake.example/exchange', 'POST')).rejects.toThrow(
    /asked for its public data by POST \/exchange/,
  );
  const other = wired();
  await expect(fetched(other, 'https://api.fake.example/info', 'POST')).rejects.toThrow(/known to change nothing/);
  await expect(fetched(other, 'https://api.fake.example/info', 'DELETE')).rejects.toThrow(/known to change nothing/);
  expect([network.sent.length, other.sent.length]).toEqual([1, 0]);
});

test('a redirect is not followed, and a limit of requests has its Retry-After', async () => {
  const moved = wired({ reply: { ...JSON_REPLY, status: 302 } });
  await expect(fetched(moved, 'https://api.fake.example/v1')).rejects.toThrow(/a redirect, which is not followed/);
  const slower = wired({ reply: { ...JSON_REPLY, status: 429, retryAfter: 7 } });
  await expect(fetched(slower, 'https://api.fake.example/v1')).rejects.toMatchObject({ status: 429, retryAfterMs: 7_000 });
});

test('JSON that is too deep, or has a key __proto__, is refused; a text that is no JSON is left to ccxt', () => {
  const { exchange } = wired();
  expect(exchange.parseJson!('{"a":[1]}')).toEqual({ a: [1] });
  expect(exchange.parseJson!('<html>')).toBeUndefined();
  expect(() => exchange.parseJson!('['.repeat(40) + ']'.repeat(40))).toThrow(/an answer of okx is not used/);
  expect(() => exchange.parseJson!('{"__proto__":{"polluted":1}}')).toThrow(/an answer of okx is not used/);
});

test('numbers beyond 2^53 are parsed by ccxt, which keeps their digits', () => {
  const exchange = new FakeLibrary().create('okx');
  exchange.parseJson = (text) => `ccxt read ${text}`;
  sendOver(exchange, () => {
    throw new Error('nothing is sent');
  });
  expect(exchange.parseJson('{"id":12345678901234567890}')).toBe('ccxt read {"id":12345678901234567890}');
});

test('a key that the library found by itself ends the program', () => {
  class Found {
    readonly apiKey = 'from the environment';
  }
  const ccxt = ccxtOf({ exchanges: ['found'], found: Found, OperationFailed: Error }, '0.0.0');
  expect(() => ccxt.create('found')).toThrow(/credentials that nobody gave it: apiKey/);
  expect(() => requireNoKey({ apiKey: undefined, secret: '' })).not.toThrow();
});
