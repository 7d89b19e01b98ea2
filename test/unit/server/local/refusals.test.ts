// Unknown and malformed requests: 4xx, success false and a message. No request causes a server error.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { BUY, openLocalApi } from './open-api.ts';

const context = openLocalApi();
context.order({ clientId: 'resting' });
const before = context.exchange.lastActionId();

describe('unknown', () => {
  test.each([
    ['GET', '/', 'unknown path'],
    ['GET', '/market/0/orderbook', 'unknown path'],
    ['GET', '/markets/', 'unknown path'],
    ['POST', '/orders/1', 'only GET, DELETE'],
    ['GET', '/positions/BTC-PERP', 'only DELETE'],
    ['DELETE', '/orders/history', 'whole number'],
    ['GET', '/markets/BTC-PER', 'did you mean "BTC-PERP"'],
    ['GET', '/markets/BTCUSDC', 'unknown market'],
    ['GET', '/markets/btc-perp/orderbook', 'did you mean'],
    ['GET', '/markets/__proto__/trades', 'unknown market'],
    ['GET', '/orders?market=DOGE-PERP', 'unknown market'],
    ['GET', '/orders/history?market=', 'unknown market'],
    ['GET', '/funding_rates?future=DOGE-PERP', 'unknown market'],
    ['GET', '/orders/999', 'ORDER_NOT_FOUND'],
    ['GET', '/orders/18446744073709551616', 'ORDER_NOT_FOUND'],
    ['GET', '/markets/BTC-PERP/trades?order_id=999', 'ORDER_NOT_FOUND'],
    ['DELETE', '/orders/999', 'ORDER_NOT_FOUND'],
    ['DELETE', '/orders/by_client_id/none', 'ORDER_NOT_FOUND'],
    ['DELETE', '/orders/by_client_id/BTC-PER/resting', 'did you mean'],
    ['DELETE', '/positions/ETH-PERP', 'POSITION_NOT_FOUND'],
  ] as const)('%s %s', (method, path, part) => {
    const [status, message] = context.refusal(method, path);
    expect(message).toContain(part);
    expect(status).toBe(part.startsWith('only') ? 405 : part === 'whole number' ? 400 : 404);
  });
});

describe('malformed', () => {
  test.each([
    '/markets?x=1',
    '/markets/BTC%ZZ',
    '/markets/BTC-PERP/orderbook?depth=0',
    '/markets/BTC-PERP/orderbook?depth=-1',
    '/markets/BTC-PERP/orderbook?depth=1.5',
    '/markets/BTC-PERP/orderbook?depth=all',
    '/markets/BTC-PERP/trades?page=-1',
    '/markets/BTC-PERP/trades?page=1e1',
    '/markets/BTC-PERP/trades?page=99999999999',
    '/markets/BTC-PERP/trades?order_id=x',
    '/markets/BTC-PERP/candles?resolution=60&start_time=yesterday',
    '/markets/BTC-PERP/candles?resolution=60&resolution=60',
    '/funding_rates?future=SOL/USDC',
    '/funding_rates?page=NaN',
    '/positions?showAvgPrice=yes',
    '/orders/abc',
    '/funding_payments?page=',
    '/wallet/transfers?page=x',
  ])('GET %s', (path) => {
    expect(context.refusal('GET', path)[0]).toBe(400);
  });

  test.each([
    ['', 'empty'],
    ['{', 'not JSON'],
    ['<html></html>', 'HTML'],
    ['[]', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['"x"', 'not a JSON object'],
    ['{"__proto__":{}}', '__proto__'],
    [`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`, 'nested'],
    [{}, 'market is missing'],
    [{ ...BUY, market: 'DOGE-PERP' }, 'unknown market'],
    [{ ...BUY, market: 0 }, 'market is 0; expected a string'],
    [{ ...BUY, side: 'bid' }, 'side is "bid"; expected "buy" or "sell"'],
    [{ ...BUY, type: 'stop' }, 'type is "stop"'],
    [{ ...BUY, price: '59000' }, 'price is "59000"; expected a positive number'],
    [{ ...BUY, price: undefined }, 'price is missing'],
    [{ ...BUY, price: null }, 'a limit order needs a price'],
    [{ ...BUY, price: -1 }, 'price is -1'],
    [{ ...BUY, price: 59_000.05 }, 'multiple of 0.1'],
    [{ ...BUY, price: 1e300 }, 'price'],
    [{ ...BUY, type: 'market' }, 'a market order has no price'],
    [{ ...BUY, size: 0 }, 'size is 0'],
    [{ ...BUY, size: '1' }, 'size is "1"'],
    [{ ...BUY, size: 0.000_01 }, 'multiple of 0.0001'],
    [{ ...BUY, size: 1e15 }, 'size'],
    [{ ...BUY, ioc: 1 }, 'ioc is 1; expected true or false'],
    [{ ...BUY, postOnly: 'yes' }, 'postOnly'],
    [{ ...BUY, reduceOnly: null }, 'reduceOnly'],
    [{ ...BUY, ioc: true, postOnly: true }, 'cannot be combined'],
    [{ ...BUY, type: 'market', price: null, postOnly: true }, 'cannot be combined'],
    [{ ...BUY, clientId: 5 }, 'clientId'],
    [{ ...BUY, clientId: '' }, 'clientId'],
    [{ ...BUY, clientId: 'x'.repeat(101) }, 'clientId'],
    [{ ...BUY, reduceonly: true }, 'did you mean "reduceOnly"'],
    [{ ...BUY, size: 2_000 }, 'INSUFFICIENT_FUNDS'],
    [{ ...BUY, price: 90_000 }, 'ORDER_EXECUTION_LIMIT_PRICE'],
    [{ ...BUY, type: 'market', price: null }, 'IMMEDIATE_ORDER_GOT_NO_FILLS'],
    [{ ...BUY, market: 'SOL/USDC', side: 'sell', price: 150 }, 'INSUFFICIENT_FUNDS'],
  ])('an order of %j', (body, part) => {
    const [status, message] = context.refusal('POST', '/orders', body);
    expect(message).toContain(part);
    expect(status).toBe(part === 'unknown market' ? 404 : 400);
  });

  test.each([
    ['/orders/999/modify', { price: 59_000, size: 1 }, 404],
    ['/orders/x/modify', { price: 59_000, size: 1 }, 400],
    ['/orders/1/modify', { price: 59_000 }, 400],
    ['/orders/1/modify', { price: '59000', size: 1 }, 400],
    ['/orders/1/modify', { price: 59_000.01, size: 1 }, 400],
    ['/orders/1/modify', { price: 59_000, size: 1, side: 'sell' }, 400],
    ['/orders/1/modify', '', 400],
  ])('POST %s with %j', (path, body, status) => {
    expect(context.refusal('POST', path, body)[0]).toBe(status);
  });

  test('none of these requests changed the exchange', () => {
    expect(context.exchange.lastActionId()).toBe(before);
    expect(context.open()).toHaveLength(1);
  });
});

describe('random requests', () => {
  const piece = fc.oneof(
    fc.constantFrom('/', 'markets', 'BTC-PERP', 'SOL', 'USDC', 'orders', 'history', 'trades', 'candles', 'wallet', 'deposits', 'positions'),
    fc.constantFrom(
      '?',
      '&',
      '=',
      '%',
      '%2f',
      '..',
      'page',
      'resolution',
      'coin',
      'size',
      'by_client_id',
      'modify',
      '0',
      '-1',
      '1e9',
      '60',
    ),
    fc.string({ maxLength: 6 }),
  );

  property.prop([fc.constantFrom('GET', 'POST', 'DELETE'), fc.array(piece, { maxLength: 12 }), fc.json()], { seed: 31, numRuns: 1_500 })(
    'is answered below 500, in the envelope',
    (method, pieces, body) => {
      const { status, body: answer } = context.ask(method, `/${pieces.join('')}`, body);
      expect(status).toBeLessThan(500);
      expect(answer['success']).toBe(status === 200);
      expect(Object.keys(answer)).toContain(status === 200 ? 'result' : 'message');
    },
  );

  property.prop([fc.uint8Array({ maxLength: 200 })], { seed: 32, numRuns: 500 })('random bytes place no order', (bytes) => {
    const { status, body } = context.send('POST', '/orders', bytes);
    expect([status, body['success']]).toEqual([400, false]);
  });

  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom('buy', 'sell', 'limit', 'market', 'BTC-PERP', 'SOL/USDC', null, 59_000, 0.1, true),
  );
  const wish = fc.record(
    { market: value, side: value, price: value, type: value, size: value, reduceOnly: value, ioc: value, postOnly: value, clientId: value },
    { requiredKeys: [] },
  );

  property.prop([wish], { seed: 33, numRuns: 1_500 })('fields of the wrong kind are refused, or an order is placed', (body) => {
    const { status } = context.ask('POST', '/orders', body);
    expect([200, 400, 404]).toContain(status);
  });
});
