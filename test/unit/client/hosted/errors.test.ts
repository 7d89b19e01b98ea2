// Every kind of unusable answer has its own name.
import { expect, test } from 'vitest';
import { TransportError } from '../../../../src/base/transport/transport.ts';
import { frame } from '../../../../src/base/wire/framing.ts';
import { retryAfterMsOf } from '../../../../src/bot/exchange/kit/streams/polling.ts';
import { clientOn } from './canned.ts';

const receipt = frame(new Uint8Array([8, 7, 128, 2, 0]));

test.each([
  ['404 with null', { status: 404, body: 'null' }, 'notFound', 'GET /account/12 answered 404'],
  ['404 with HTML', { status: 404, body: '<html>' }, 'notFound', 'GET /account/12 answered 404'],
  ['a failing server', { status: 503, body: '<html>' }, 'http', 'GET /account/12 answered 503'],
  ['a redirect', { status: 307 }, 'http', 'GET /account/12 answered 307, a redirect, which is not followed'],
  ['another success status', { status: 204 }, 'notJson', 'GET /account/12: the body is empty instead of JSON'],
  ['HTML', { body: '<!doctype html><title>One moment</title>' }, 'notJson', 'GET /account/12: the body is an HTML page instead of JSON'],
  ['nothing', { body: '' }, 'notJson', 'GET /account/12: the body is empty instead of JSON'],
  ['a truncated body', { body: '{"updateId": 1, "bal' }, 'notJson', expect.stringContaining('not JSON')],
  ['too deep', { body: '['.repeat(40) + ']'.repeat(40) }, 'notJson', expect.stringContaining('too deep')],
  ['null', { body: 'null' }, 'shape', expect.stringContaining('GET /account/12: the answer')],
  ['another object', { body: '{"message":"hello"}' }, 'shape', expect.stringContaining('updateId')],
])('%s', async (_, reply, kind, message) => {
  await expect(clientOn(reply).client.account(12)).rejects.toMatchObject({
    name: 'ClientError',
    kind,
    message,
    status: 'status' in reply ? reply.status : 200,
  });
});

test.each(['notSent', 'noReply', 'tooLarge'] as const)('the transport’s %s keeps its kind', async (kind) => {
  const { client } = clientOn(new TransportError(kind, 'what happened'));
  await expect(client.info()).rejects.toMatchObject({ name: 'ClientError', kind, message: 'GET /info: what happened', status: undefined });
  await expect(client.action(new Uint8Array(1))).rejects.toMatchObject({ kind, message: 'POST /action: what happened' });
});

test('an error of another kind is rethrown unchanged', async () => {
  const bug = new TypeError('bug');
  await expect(clientOn(bug).client.info()).rejects.toBe(bug);
});

test('Retry-After is passed on to the poll', async () => {
  const refused: unknown = await clientOn({ status: 429, retryAfter: 2 })
    .client.info()
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ kind: 'http', status: 429 });
  expect(retryAfterMsOf(refused)).toBe(2_000);
  expect(retryAfterMsOf(new Error('other'))).toBeUndefined();
});

test('one invalid trade invalidates its page', async () => {
  const { client } = clientOn('{"items":[{"tradeId":1}],"nextStartInclusive":null}');
  await expect(client.trades({ until: 0 })[Symbol.asyncIterator]().next()).rejects.toMatchObject({ kind: 'shape' });
});

test('a receipt is returned as it is, with a timeout for each kind of action', async () => {
  const { client, asked } = clientOn({ body: receipt, contentType: 'application/octet-stream' });
  const body = new Uint8Array([1, 2, 3]);
  expect(await client.action(body)).toEqual(receipt);
  expect(await client.createSession(body)).toEqual(receipt);
  const request = { method: 'POST', path: '/action', body, contentType: 'application/octet-stream', maxBytes: 2 ** 17 };
  expect(asked).toEqual([
    { ...request, timeoutMs: 5_000 },
    { ...request, timeoutMs: 60_000 },
  ]);
});

test('a receipt with an error status is returned; any other body gives the status', async () => {
  expect(await clientOn({ status: 500, body: receipt }).client.action(new Uint8Array(1))).toEqual(receipt);
  for (const body of ['', '{"limit":1024}', '<html>bad gateway</html>', Buffer.concat([receipt, receipt])]) {
    const { client } = clientOn({ status: 502, body });
    await expect(client.action(new Uint8Array(1))).rejects.toMatchObject({
      kind: 'http',
      status: 502,
      message: 'POST /action answered 502',
    });
  }
});
