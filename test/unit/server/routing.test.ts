// Routing by path and method, query parameters, and the JSON of replies.
import { describe, expect, test } from 'vitest';
import { jsonReply, jsonText, RefusedRequest, WrittenJson } from '../../../src/base/server/reply.ts';
import { route, routerOf } from '../../../src/base/server/routing.ts';

const handler = routerOf([
  route({ path: '/info', answer: () => jsonReply('info') }),
  route({ path: '/market/{market}/fees/{role}', answer: ({ path }) => jsonReply([path.market, path.role]) }),
  route({
    path: '/trades',
    query: { since: (text: string) => text, pageSize: (text: string) => text },
    answer: ({ query }) => jsonReply(query),
  }),
  route({
    path: '/refusing',
    answer: () => {
      throw new RefusedRequest(404, null);
    },
  }), // prettier-ignore
  route({ method: 'POST', path: '/action', answer: ({ request }) => jsonReply(request.body?.length ?? 'none') }),
]);

function ask(path: string, method: 'GET' | 'POST' | 'DELETE' = 'GET') {
  const { status, body, contentType } = handler({ method, path });
  expect(contentType).toBe('application/json');
  return [status, JSON.parse(new TextDecoder().decode(body)) as unknown];
}

describe('routing', () => {
  test('a placeholder is one segment of the path', () => {
    expect(ask('/market/3/fees/maker')).toEqual([200, ['3', 'maker']]);
  });

  test('a placeholder’s escapes are decoded, and may hide a slash', () => {
    expect(ask('/market/SOL%2FUSDC/fees/a%20b')).toEqual([200, ['SOL/USDC', 'a b']]);
    expect(ask('/market/%zz/fees/maker')).toEqual([400, { message: expect.stringContaining('not an escape') }]);
  });

  test('a query keeps the + of a time zone, decodes escapes, and may be empty', () => {
    expect(ask('/trades?since=2026-01-01T00:00:00+01:00')).toEqual([200, { since: '2026-01-01T00:00:00+01:00' }]);
    expect(ask('/trades?since=2026-01-01T00%3A00%3A00%2B01%3A00&')).toEqual([200, { since: '2026-01-01T00:00:00+01:00' }]);
    expect(ask('/trades?')).toEqual([200, {}]);
    expect(ask('/trades?since=a=b?c')).toEqual([200, { since: 'a=b?c' }]);
  });

  test.each([
    '/',
    '',
    '/nothing',
    '/info/',
    '//info',
    '/INFO',
    '/market//fees/maker',
    '/market/3/fees',
    '/info#x',
    '/../info',
    '*',
    'http://x/info',
  ])('nothing is at %j', (path) => {
    expect(ask(path)).toEqual([404, { message: expect.any(String) }]);
  });

  test.each([
    ['/info?x=1', 'this path takes none'],
    ['/trades?pagesize=5', 'did you mean "pageSize"?'],
    ['/trades?since=1&since=2', 'given twice'],
    ['/trades?since=%zz', 'not an escape'],
    ['/trades?__proto__=1', 'unknown parameter'],
  ])('%s is refused', (path, part) => {
    expect(ask(path)).toEqual([400, { message: expect.stringContaining(part) }]);
  });

  test('another method than the table has is 405', () => {
    expect(ask('/info', 'DELETE')).toEqual([405, { message: expect.stringContaining('GET') }]);
    expect(ask('/action')).toEqual([405, { message: expect.stringContaining('POST') }]);
  });

  test('refusals are written in the format of the API', () => {
    const { body } = routerOf([], (refusal) => ({ sorry: refusal }))({ method: 'GET', path: '/' });
    expect(JSON.parse(new TextDecoder().decode(body))).toEqual({ sorry: { message: expect.any(String) as string } });
  });

  test('a refusal thrown by an endpoint becomes its reply; anything else stays an error', () => {
    expect(ask('/refusing')).toEqual([404, null]);
    const broken = routerOf([
      route({
        path: '/',
        answer: () => {
          throw new Error('bug');
        },
      }),
    ]); // prettier-ignore
    expect(() => broken({ method: 'GET', path: '/' })).toThrow('bug');
  });
});

describe('JSON', () => {
  test('numbers are plain and exact', () => {
    expect(jsonText([1e-7, 1.5e-9, 1e21, 0.1, -0, 2n ** 64n - 1n])).toBe(
      '[0.0000001,0.0000000015,1000000000000000000000,0.1,0,18446744073709551615]',
    );
  });

  test('an undefined property is left out; null stays', () => {
    expect(jsonText({ a: undefined, b: null, c: 'é"\n', d: true })).toBe('{"b":null,"c":"é\\"\\n","d":true}');
  });

  test('a part that is written already is the same text', () => {
    const rows = [{ c: 'é"', d: 1e-7 }, []];
    expect(jsonText({ a: new WrittenJson(rows), b: [new WrittenJson(1), new WrittenJson('é')] })).toBe(jsonText({ a: rows, b: [1, 'é'] }));
  });

  test('NaN and infinity are never written', () => {
    expect(() => jsonText({ price: Number.NaN })).toThrow('NaN');
  });
});
