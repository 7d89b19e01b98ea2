// Every kind of unusable answer has its own name, and contains the server's message.
import { expect, test } from 'vitest';
import { TransportError } from '../../../../src/base/transport/transport.ts';
import { clientOn, crashed, unrouted } from './canned.ts';

const failureOf = (reply: Parameters<typeof clientOn>[0][number]): Promise<Error> =>
  clientOn([reply])
    .client.account()
    .then(
      () => new Error('it succeeded'),
      (error: Error) => error,
    );

test.each([
  ['success: false with a message', '{"success":false,"message":"not today"}', 'refused', 'GET /account was refused: not today'],
  [
    'success: false with a message and no result',
    '{"success":false,"message":"not today","result":null}',
    'refused',
    'GET /account was refused: not today',
  ],
  ['success: false with an error', '{"success":false,"error":"not today"}', 'refused', 'GET /account was refused: not today'],
  [
    'success: false with an error object',
    '{"success":false,"error":{"message":"not today"}}',
    'refused',
    'GET /account was refused: not today',
  ],
  ['success: false with a result', '{"success":false,"result":"not today"}', 'refused', 'GET /account was refused: not today'],
  ['success: false without a message', '{"success":false,"code":7}', 'refused', 'GET /account was refused: {"success":false,"code":7}'],
  ['a message without success', '{"message":"not today"}', 'refused', 'GET /account was refused: not today'],
  ['a bare object', '{"balances":[]}', 'shape', 'GET /account answered without {success, result}: {"balances":[]}'],
  ['a bare list', '[1]', 'shape', 'GET /account answered without {success, result}: [1]'],
  ['null', 'null', 'shape', 'GET /account answered without {success, result}: null'],
  ['success as text', '{"success":"true","result":{}}', 'shape', expect.stringContaining('answered without')],
  ['no result', '{"success":true}', 'shape', expect.stringContaining('answered without {success, result}')],
  ['another result', '{"success":true,"result":{"collateral":"much"}}', 'shape', 'GET /account: the result at collateral: not a number'],
  [
    'HTML',
    '<!doctype html><title>One moment</title>',
    'notJson',
    'GET /account was not answered: the body is an HTML page instead of JSON: One moment',
  ],
  ['text', 'upstream is away', 'notJson', expect.stringContaining('upstream is away')],
  ['nothing', '', 'notJson', 'GET /account was not answered: the body is empty instead of JSON'],
  ['bytes', { status: 200, body: new Uint8Array([0xff, 0xfe]) }, 'notJson', expect.stringContaining('not UTF-8')],
  ['too deep', `{"success":true,"result":${'['.repeat(40)}${']'.repeat(40)}}`, 'notJson', expect.stringContaining('too deep')],
])('%s', async (_, reply, kind, message) => {
  expect(await failureOf(reply)).toMatchObject({ name: 'ClientError', kind, status: 200, message });
});

test.each([
  [crashed('Cannot read x'), 'http', 'GET /account answered 500: Cannot read x'],
  [{ status: 400, body: '{"success":false,"error":"bad size"}' }, 'refused', 'GET /account answered 400: bad size'],
  [{ status: 404, body: '{"success":false,"error":"no such"}' }, 'notFound', 'GET /account answered 404: no such'],
  [unrouted('GET /account'), 'notFound', 'GET /account answered 404: Error Cannot GET /account'],
  [{ status: 404, body: '' }, 'notFound', 'GET /account answered 404'],
  [{ status: 502, body: '<h1>Bad\r\nGateway</h1>' }, 'http', 'GET /account answered 502: Bad Gateway'],
  [{ status: 307, body: '' }, 'http', 'GET /account answered 307, a redirect, which is not followed'],
  [{ status: 503, body: 'null' }, 'http', 'GET /account answered 503: null'],
])('status %#', async (reply, kind, message) => {
  expect(await failureOf(reply)).toMatchObject({ name: 'ClientError', kind, status: reply.status, message });
});

test('any status of success may have the envelope', async () => {
  const { client } = clientOn([{ status: 201, body: '{"success":true,"result":[]}' }]);
  expect(await client.markets()).toEqual([]);
});

test('the text cannot control a terminal, and has at most 300 characters', async () => {
  const { message } = await failureOf(JSON.stringify({ success: false, message: 'a\u001b[2Jb\nc\u202ed\u0000é😀' }));
  expect(message).toBe('GET /account was refused: a\\u001b[2Jb\\u000ac\\u202ed\\u0000é😀');
  const prefix = 'GET /account was refused: ';
  for (const character of ['x', '😀', '\u0000']) {
    const { message: long } = await failureOf(JSON.stringify({ success: false, message: character.repeat(5_000) }));
    expect(Array.from(long.slice(prefix.length))).toHaveLength(300);
    expect(long.endsWith('…')).toBe(true);
  }
  const page = await failureOf({ status: 500, body: `<p>${'word \u0007'.repeat(10_000)}</p>` });
  expect(page.message).toContain('answered 500: word \\u0007word');
  expect(page.message.length).toBeLessThan(400);
});

test('a page full of tags is read quickly', async () => {
  const { message } = await failureOf({ status: 500, body: '<'.repeat(1_000_000) });
  expect(message.length).toBeLessThan(400);
});

test('the reason is available separately, if the server gave one', async () => {
  expect(await failureOf(crashed('no\n'))).toMatchObject({ reason: 'no\\u000a' });
  expect(await failureOf(unrouted('GET /account'))).toMatchObject({ reason: undefined });
  const { client } = clientOn([
    { status: 404, body: '{"message":"a"}' },
    { status: 404, body: '{"message":"b"}' },
  ]);
  await expect(client.cancelByClientId({ clientId: '5', market: 'X' })).rejects.toMatchObject({ kind: 'notFound', reason: 'a; b' });
});

test.each(['notSent', 'noReply', 'tooLarge'] as const)('the transport’s %s keeps its kind', async (kind) => {
  const failure = await failureOf(new TransportError(kind, 'what happened'));
  expect(failure).toMatchObject({ name: 'ClientError', kind, status: undefined, message: 'GET /account: what happened' });
});

test('an error of another kind is rethrown unchanged', async () => {
  const bug = new TypeError('bug');
  expect(await failureOf(bug)).toBe(bug);
  const { client } = clientOn([unrouted('GET /'), bug]);
  await expect(client.deposit({ coin: 'USDC', size: 1 })).rejects.toBe(bug);
});

test('timeouts can be set', async () => {
  const { client, asked } = clientOn([{ result: 'queued' }], { timeouts: { writeMs: 30_000 } });
  await client.cancelAll();
  await client.markets().catch(() => undefined);
  expect(asked.map(({ limits }) => limits.timeoutMs)).toEqual([30_000, 5_000]);
});
