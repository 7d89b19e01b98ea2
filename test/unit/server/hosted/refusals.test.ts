// Unknown and malformed requests: 4xx and JSON, by the API document's rules if it has them.
import { describe, expect, test } from 'vitest';
import { keyOf, openHostedApi, userOf } from './open-api.ts';

const context = openHostedApi();

describe('unknown and malformed requests', () => {
  test.each([
    [`/user/${userOf(keyOf(9))}`, null],
    ['/account/999', null],
    ['/account/999/orders', null],
    ['/account/999/fee/tier', null],
    ['/market/0/fees/maker/999', null],
    ['/market/9/fees/maker/0', { market_id: 9 }],
    ['/market/9/orderbook', { market_id: 9 }],
    ['/market/4294967295/stats', { market_id: 4_294_967_295 }],
  ])('404 at %s', (path, body) => {
    expect(context.get(path)).toEqual({ status: 404, body });
  });

  test.each([
    '/user/0OIl',
    `/user/${userOf(keyOf(1)).slice(4)}`,
    `/user/${'1'.repeat(200)}`,
    '/account/x',
    '/account/-1',
    '/account/1.5',
    '/account/4294967296',
    '/account/1e3/fee/tier',
    '/account/0x1/orders',
    '/market/NaN/stats',
    '/market/99999999999999999999999/orderbook',
    '/market/0/fees/maker/x',
    '/trades?marketId=',
    '/trades?marketId=-1',
    '/trades?takerSide=buy',
    '/trades?pageSize=0',
    '/trades?pageSize=1.5',
    '/trades?pageSize=-5',
    '/trades?startInclusive=18446744073709551616',
    '/trades?since=yesterday',
    '/trades?since=1700000000',
    '/trades?since=2026-02-30T00:00:00Z',
    '/trades?until=2026-01-01',
    '/trades?until=2026-01-01T00:00:00',
    '/trades?until=2026-01-01T25:00:00Z',
    '/trades?limit=5',
    '/account/0/orders?since=2026-01-01T00:00:00Z',
    '/info?x=1',
  ])('400 at %s', (path) => {
    expect(context.get(path)).toEqual({ status: 400, body: { message: expect.any(String) as string } });
  });

  test.each(['/', '/market', '/market/0', '/market/0/fees/both/0', '/markets', '/account', '/account/0/', '/schema', '/action/last'])(
    '404 at %s',
    (path) => {
      expect(context.get(path)).toEqual({ status: 404, body: { message: expect.any(String) as string } });
    },
  );

  test('the other method is 405', () => {
    expect(context.send({ method: 'DELETE', path: '/action' }).status).toBe(405);
    expect(context.send({ method: 'POST', path: '/info' }).status).toBe(405);
    expect(context.send({ method: 'DELETE', path: '/trades' }).status).toBe(405);
  });
});
