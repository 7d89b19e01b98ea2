// JSON requests of a client: their bytes are signed as they are sent, and an answer that makes no sense is an error of a known kind.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { HttpReply, HttpRequest } from '../../../../src/base/transport.ts';
import { type JsonOptions, jsonOver } from '../../../../src/exchange/kit/json-request.ts';

const SHAPE = z.object({ id: z.string() });
const reasonIn = (body: unknown): string | undefined => z.object({ error: z.string() }).safeParse(body).data?.error;

function asked(reply: Partial<HttpReply> & { readonly text?: string }, options: Partial<JsonOptions> = {}) {
  const sent: HttpRequest[] = [];
  const { text = '{"id":"a"}', ...rest } = reply;
  const transport = {
    request: async (request: HttpRequest): Promise<HttpReply> => {
      sent.push(request);
      return { status: 200, contentType: 'application/json', body: new TextEncoder().encode(text), ...rest };
    },
    close: async () => undefined,
  };
  return { sent, request: jsonOver(transport, { reasonIn, ...options }) };
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('headers of a request and of its signature are sent with the bytes that were signed', async () => {
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
  ['no such path', { status: 404, text: '{"error":"NO_SUCH_ORDER"}' }, { kind: 'notFound' }],
  ['a failure of the server', { status: 502, text: '<html>' }, { kind: 'http' }],
  ['no JSON', { text: '<html>' }, { kind: 'notJson' }],
  ['another shape', { text: '{"id":1}' }, { kind: 'shape' }],
] as const)('%s', async (_, reply, error) => {
  await expect(asked(reply).request({ method: 'GET', path: '/a', shape: SHAPE, timeoutMs: 1_000 })).rejects.toMatchObject(error);
});
