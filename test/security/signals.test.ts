// The listener for signals refuses everyone without permission: wrong tokens, web pages, large and repeated bodies.
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { type Served, serve } from '../../src/base/server/http.ts';
import { type Signal, signalsApi } from '../../src/bot/run/inputs/signals.ts';
import { rethrow } from '../replay/virtual-run.ts';

const TOKEN = 'b0a4c7d9e2f14d33a6';
const NOW = 1_800_000_000_000;
const clock = new VirtualClock(NOW);
const accepted: Signal[] = [];
let served: Served;

beforeAll(async () => {
  const kept = { value: 'old', asked: NOW - 60_000, ids: ['earlier'] };
  const inputs = new Map([
    ['side', kept],
    ['other', undefined],
  ]);
  const handler = signalsApi({ clock, token: TOKEN, inputs, maxAgeMs: 300_000, accept: (signal) => accepted.push(signal) });
  served = await serve(handler, { port: 0, host: '127.0.0.1', onBug: rethrow });
});
afterAll(() => served.close());
beforeEach(() => {
  accepted.length = 0;
  clock.advanceTo(clock.now() + 1_000);
});

interface Sending {
  readonly path?: string;
  readonly method?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Uses no fetch, which does not allow all headers. */
function send({ path = '/signals/side', method = 'POST', body = '"long"', headers = { authorization: `Bearer ${TOKEN}` } }: Sending = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(`${served.url}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    sent.on('error', reject).end(body);
  });
}
const statusOf = async (sending?: Sending): Promise<number> => (await send(sending)).status;

describe('a sender with the token', () => {
  test.each([
    ['in the header', {}],
    ['in the address', { path: `/signals/side?token=${TOKEN}`, headers: {} }],
    ['in the header, in small letters', { headers: { authorization: `bearer ${TOKEN}` } }],
  ])('%s is answered 202 after the signal was accepted', async (_, sending) => {
    expect(await send(sending)).toEqual({ status: 202, text: '{"input":"side","accepted":true}' });
    expect(accepted).toEqual([{ input: 'side', value: 'long', asked: clock.now(), at: clock.now(), id: undefined }]);
  });

  test('may send JSON or text', async () => {
    expect(await statusOf({ body: '{"position":0.5,"at":"2026-01-02T03:04:05Z"}' })).toBe(400); // too old
    expect(await statusOf({ body: `{"position":0.5,"at":${clock.now() - 10}}` })).toBe(202);
    expect(await statusOf({ body: 'close all' })).toBe(202);
    expect(accepted.map(({ value, asked }) => [value, clock.now() - asked])).toEqual([
      [{ position: 0.5, at: clock.now() - 10 }, 10],
      ['close all', 0],
    ]);
  });

  test('is accepted once per id, also if an earlier process accepted the id', async () => {
    const once = await send({ body: '{"id":"x","position":1}' });
    const again = await send({ body: '{"id":"x","position":2}' });
    const earlier = await send({ body: '{"id":"earlier"}' });
    expect([once.status, again.status, earlier.status]).toEqual([202, 200, 200]);
    expect(again.text).toContain('the id x was accepted before');
    expect(accepted.map(({ id, value }) => [id, value])).toEqual([['x', { id: 'x', position: 1 }]]);
  });

  test('is refused if its signal is older than the newest one, and may then use the same id again', async () => {
    expect(await statusOf({ path: '/signals/other', body: `{"at":${clock.now() - 5_000}}` })).toBe(202);
    expect(await statusOf({ path: '/signals/other', body: `{"id":"late","at":${clock.now() - 6_000}}` })).toBe(409);
    expect(await statusOf({ path: '/signals/other', body: `{"id":"late","at":${clock.now()}}` })).toBe(202);
  });

  test.each([
    [{ body: '' }, 400],
    [{ body: Uint8Array.of(0xff, 0xfe) }, 400],
    [{ body: `{"at":${NOW - 400_000}}` }, 400],
    [{ body: `{"at":${NOW + 900_000}}` }, 400],
    [{ body: '{"at":"soon"}' }, 400],
    [{ body: '{"at":null}' }, 400],
    [{ body: '{"id":""}' }, 400],
    [{ body: `{"id":"${'x'.repeat(129)}"}` }, 400],
    [{ body: '{"id":{}}' }, 400],
    [{ body: `"${'x'.repeat(8_191)}"` }, 413],
    [{ body: 'x'.repeat(70_000) }, 413],
    [{ path: '/signals/nothing' }, 404],
    [{ path: '/signals/__proto__' }, 404],
    [{ path: '/' }, 404],
    [{ method: 'GET', body: '' }, 405],
    [{ method: 'PUT' }, 405],
  ])('is refused with an invalid signal: %j', async (sending, status) => {
    expect(await statusOf(sending)).toBe(status);
    expect(accepted).toEqual([]);
  });

  test('is limited to 50 signals a second', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 60; count++) statuses.push(await statusOf());
    expect(statuses.filter((status) => status === 202)).toHaveLength(50);
    expect(statuses.slice(50)).toEqual(Array.from({ length: 10 }, () => 429));
    clock.advanceTo(clock.now() + 1_000);
    expect(await statusOf()).toBe(202);
  });
});

const own = (): string => new URL(served.url).host;

describe('a sender without the token', () => {
  const authorization = `Bearer ${TOKEN}`;
  test.each<[string, () => Sending, number]>([
    ['no token', () => ({ headers: {} }), 401],
    ['an empty token', () => ({ headers: { authorization: 'Bearer ' } }), 401],
    ['another token', () => ({ headers: { authorization: `Bearer ${TOKEN}x` } }), 401],
    ['the beginning of the token', () => ({ headers: { authorization: `Bearer ${TOKEN.slice(0, -1)}` } }), 401],
    ['another scheme', () => ({ headers: { authorization: `Basic ${TOKEN}` } }), 401],
    ['two tokens in the address', () => ({ path: `/signals/side?token=x&token=${TOKEN}`, headers: {} }), 400],
    ['no token, to learn the names', () => ({ path: '/signals/nothing', headers: {} }), 401],
    ['a page by DNS rebinding', () => ({ headers: { authorization, host: 'evil.test' } }), 421],
    ['a page of another site', () => ({ headers: { authorization, origin: 'http://evil.test' } }), 403],
    ['a page of a file', () => ({ headers: { authorization, origin: 'null' } }), 403],
    ['a form of another site', () => ({ headers: { authorization, 'sec-fetch-site': 'cross-site' } }), 403],
    ['a page of another port', () => ({ headers: { authorization, host: own(), referer: 'http://127.0.0.1:1/' } }), 403],
  ])('is refused: %s', async (_, sending, status) => {
    const answer = await send(sending());
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain(TOKEN.slice(0, 8));
    expect(answer.text).not.toContain('other'); // the name of an input
    expect(accepted).toEqual([]);
  });
});
