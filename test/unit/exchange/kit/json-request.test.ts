// JSON requests of a client: the signed bytes are the sent ones, and an invalid answer is an error of a known kind.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type JsonOptions, jsonOver, subjectMismatch } from '../../../../src/base/transport/json-request.ts';
import type { HttpReply, HttpRequest } from '../../../../src/base/transport/transport.ts';

const SHAPE = z.object({ id: z.string() });
const reasonIn = (body: unknown): string | undefined => z.object({ error: z.string() }).safeParse(body).data?.error;

function asked(reply: Partial<HttpReply> & { readonly text?: string }, options: Partial<JsonOptions> = {}) {
  const sent: HttpRequest[] = [];
  const connections: string[] = [];
  const { text = '{"id":"a"}', ...rest } = reply;
  const transport = {
    reset: (reason: string) => void connections.push(`reset: ${reason}`),
    renew: () => void connections.push('renew'),
    request: async (request: HttpRequest): Promise<HttpReply> => {
      sent.push(request);
      return { status: 200, contentType: 'application/json', body: new TextEncoder().encode(text), ...rest };
    },
    close: async () => undefined,
  };
  return { sent, connections, request: jsonOver(transport, { reasonIn, ...options }) };
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('headers of a request and of its signature are sent with the signed bytes', async () => {
  const sign = ({ method, path, body = new Uint8Array() }: HttpRequest) => ({ 'x-signature': `${method} ${path} ${hashOf(body)}` });
  const { sent, request } = asked({}, { sign });
  const answer = await request({
    method: 'POST',
    path: '/orders?a=1',
    body: { size: '0.1' },
    headers: { 'x-version': '2' },
    shape: SHAPE,
    timeoutMs: 1_000,
  });
  expect(answer).toEqual({ id: 'a' });
  const [{ body, headers, contentType }] = sent as [HttpRequest];
  expect(new TextDecoder().decode(body)).toBe('{"size":"0.1"}');
  expect(contentType).toBe('application/json');
  expect(headers).toEqual({ 'x-version': '2', 'x-signature': `POST /orders?a=1 ${hashOf(body ?? new Uint8Array())}` });
});

test.each([
  ['a refusal', { status: 400, text: '{"error":"NO_MONEY"}' }, { kind: 'refused', reason: 'NO_MONEY' }],
  ['a status without a reason', { status: 400, text: '{}' }, { kind: 'http' }],
  ['a rate limit', { status: 429, text: '{"error":"SLOW_DOWN"}', retryAfter: 3 }, { kind: 'http', retryAfterMs: 3_000 }],
  ['an unknown path', { status: 404, text: '{"error":"NO_SUCH_ORDER"}' }, { kind: 'notFound' }],
  ['a failure of the server', { status: 502, text: '<html>' }, { kind: 'http' }],
  ['no JSON', { text: '<html>' }, { kind: 'notJson' }],
  ['another shape', { text: '{"id":1}' }, { kind: 'shape' }],
] as const)('%s', async (_, reply, error) => {
  await expect(asked(reply).request({ method: 'GET', path: '/a', shape: SHAPE, timeoutMs: 1_000 })).rejects.toMatchObject(error);
});

test('a POST to a listed path is marked as a read, and its failure ends no connection of actions', async () => {
  const { sent, connections, request } = asked({ status: 502, text: '<html>' }, { reads: ['/info'] });
  const post = (path: string): Promise<unknown> => request({ method: 'POST', path, body: {}, shape: SHAPE, timeoutMs: 1_000 });
  await expect(post('/info?a=1')).rejects.toMatchObject({ kind: 'http' });
  expect(connections).toEqual([]);
  await expect(post('/information')).rejects.toMatchObject({ kind: 'http' });
  await expect(request({ method: 'DELETE', path: '/info', shape: SHAPE, timeoutMs: 1_000 })).rejects.toMatchObject({ kind: 'http' });
  expect(connections).toEqual(['renew', 'renew']);
  expect(sent.map(({ reads }) => reads)).toEqual([true, undefined, undefined]);
});

const ofOrder = (id: string) => subjectMismatch('order', id, (answer: { readonly id: string }) => answer.id);

test('the answer to another request is rejected, and all connections are closed', async () => {
  const question = { method: 'GET', path: '/orders/b?x=1', shape: SHAPE, timeoutMs: 1_000 } as const;
  const { request, connections } = asked({});
  const message = 'GET /orders/b was answered with the answer about order a: all connections are closed';
  await expect(request({ ...question, mismatchIn: ofOrder('b') })).rejects.toMatchObject({ kind: 'shape', message });
  expect(connections).toEqual([`reset: ${message}`]);
  const same = asked({});
  expect(await same.request({ ...question, mismatchIn: ofOrder('a') })).toEqual({ id: 'a' });
  expect(same.connections).toEqual([]);
});

test('an answer that fits another of the distinct shapes belongs to another request', async () => {
  const other = z.object({ name: z.string() });
  const question = { method: 'GET', path: '/orders/b', shape: SHAPE, timeoutMs: 1_000 } as const;
  const mixed = asked({ text: '{"name":"b"}' }, { distinct: [SHAPE, other] });
  const message = 'GET /orders/b was answered with the answer to another request: all connections are closed';
  await expect(mixed.request(question)).rejects.toMatchObject({ kind: 'shape', message });
  expect(mixed.connections).toEqual([`reset: ${message}`]);
  const invalid = asked({ text: '{"id":1}' }, { distinct: [SHAPE, other] });
  await expect(invalid.request(question)).rejects.toMatchObject({ kind: 'shape' });
  expect(invalid.connections).toEqual([]);
});

test('an unchanged answer is the same value, for each shape', async () => {
  const { request } = asked({});
  const ask = (shape: z.ZodType) => request({ method: 'GET', path: '/a', shape, timeoutMs: 1_000 });
  const first = await ask(SHAPE);
  expect(await ask(SHAPE)).toBe(first);
  expect(await ask(z.object({ id: z.string() }))).not.toBe(first);
});

test('after a failed action the next one uses a new connection, because a refusal does not name its request', async () => {
  const refused = asked({ status: 400, text: '{"error":"NO_MONEY"}' });
  const question = { path: '/orders', shape: SHAPE, timeoutMs: 1_000 } as const;
  await expect(refused.request({ ...question, method: 'POST' })).rejects.toMatchObject({ kind: 'refused' });
  expect(refused.connections).toEqual(['renew']);
  const read = asked({ status: 400, text: '{"error":"NO_SUCH_MARKET"}' });
  await expect(read.request({ ...question, method: 'GET' })).rejects.toMatchObject({ kind: 'refused' });
  expect(read.connections).toEqual([]);
});
