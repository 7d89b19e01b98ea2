// The endpoints for the user's own account, and the two that move funds.
import { describe, expect, test } from 'vitest';
import { TransportError } from '../../../../src/base/transport/transport.ts';
import { allOf, clientOf, clientOn, crashed, unrouted } from './canned.ts';

const time = '2026-01-02T03:04:05.000Z';
const position = {
  future: 'BTC-PERP',
  cost: -50,
  entryPrice: 100,
  initialMarginRequirement: 0.1,
  maintenanceMarginRequirement: 0.05,
  netSize: -0.5,
  size: 0.5,
  side: 'sell',
  openSize: 1,
  longOrderSize: 0.5,
  shortOrderSize: 1,
  unrealizedPnl: -2,
  collateralUsed: 10,
};
const account = {
  backstopProvider: false,
  collateral: 1_000,
  freeCollateral: 900,
  initialMarginRequirement: 0.1,
  maintenanceMarginRequirement: 0.05,
  liquidating: false,
  makerFee: 0.0001,
  takerFee: 0.00035,
  marginFraction: 20,
  openMarginFraction: 18,
  totalAccountValue: 998,
  totalPositionSize: 50,
  username: 'someone',
  leverage: 10,
  positions: [position],
};

test('the account and its positions', async () => {
  const { client, lines } = clientOn([{ result: account }, { result: [position] }]);
  expect(await client.account()).toEqual(account);
  expect(await client.positions()).toEqual([position]);
  expect(await client.positions({ showAvgPrice: true })).toEqual([position]);
  expect(lines()).toEqual(['GET /account', 'GET /positions', 'GET /positions?showAvgPrice=true']);
});

test('balances', async () => {
  const balance = { coin: 'USDC', free: '900.5', spotBorrow: 0, total: 1_000, usdValue: 1_000, availableWithoutBorrow: '900' };
  const { client, lines } = clientOn([{ result: [balance] }]);
  expect(await client.balances()).toEqual([{ ...balance, free: 900.5, availableWithoutBorrow: 900 }]);
  expect(lines()).toEqual(['GET /wallet/balances']);
});

test('transfers', async () => {
  const transfer = { coin: 'USDC', size: 20.2, type: 'deposit', status: 'confirmed', time };
  const { client, lines } = clientOn([{ result: [transfer] }, { result: [] }]);
  expect(await allOf(client.transfers())).toEqual([transfer]);
  expect(lines()).toEqual(['GET /wallet/transfers?page=0', 'GET /wallet/transfers?page=1']);
});

describe('history', () => {
  const fill = { symbol: 'BTC', future: 'BTC-PERP', market: 'BTC-PERP', liquidity: 'maker', price: 100, size: 1, side: 'buy', time };

  test('ends when the server says that there is no more', async () => {
    const { client, lines } = clientOn([
      { result: [fill], hasMoreData: true },
      { result: [{ ...fill, price: 99 }], hasMoreData: false },
    ]);
    expect(await allOf(client.history({ market: 'BTC-PERP' }))).toEqual([fill, { ...fill, price: 99 }]);
    expect(lines()).toEqual(['GET /orders/history?market=BTC-PERP&page=0', 'GET /orders/history?market=BTC-PERP&page=1']);
  });

  test('is at another path in a process that takes "history" as an order, and stays there', async () => {
    const { symbol: _, ...bare } = fill;
    const { client, lines } = clientOf({
      'GET /orders/history': crashed('Invalid character'),
      'GET /trades/history': { result: [bare] },
    });
    expect(await allOf(client.history({ market: 'BTC-PERP' }))).toEqual([bare]);
    expect(lines()).toEqual([
      'GET /orders/history?market=BTC-PERP&page=0',
      'GET /trades/history?market=BTC-PERP&page=0',
      'GET /trades/history?market=BTC-PERP&page=1',
      'GET /trades/history?market=BTC-PERP&page=2',
    ]);
  });
});

test('funding payments, with the filter under both of its names', async () => {
  const payment = { future: 'BTC-PERP', rate: 0.0001, payment: -0.5, date: time };
  const { client, lines } = clientOn([{ result: [payment] }, { result: [] }]);
  expect(await allOf(client.fundingPayments({ future: 'BTC-PERP' }))).toEqual([payment]);
  await allOf(client.fundingPayments());
  expect(lines()).toEqual([
    'GET /funding_payments?page=0&future=BTC-PERP&market=BTC-PERP',
    'GET /funding_payments?page=1&future=BTC-PERP&market=BTC-PERP',
    'GET /funding_payments?page=0',
  ]);
});

describe.each(['deposits', 'withdrawals'] as const)('%s', (what) => {
  const amount = { coin: 'US DC&x', size: 20.2 };
  const get = `GET /wallet/${what}?coin=US%20DC%26x&size=20.2`;
  const post = `POST /wallet/${what}`;
  const done = { coin: 'USDC', status: 'processed', time, txId: '4yUQ' };
  const move = (client: ReturnType<typeof clientOn>['client']) => (what === 'deposits' ? client.deposit(amount) : client.withdraw(amount));

  test('are a GET as documented, and nothing else is requested', async () => {
    const { client, lines, asked } = clientOn([{ result: done }]);
    expect(await move(client)).toEqual(done);
    expect(lines()).toEqual([get]);
    expect(asked[0]?.limits.timeoutMs).toBe(15_000);
  });

  test('are a POST if no such GET is routed, and from then on at once', async () => {
    const { client, lines, asked } = clientOf({ [post]: { result: { ...done, txId: undefined, txid: '4yUQ', size: 20.2 } } });
    expect(await move(client)).toEqual({ ...done, size: 20.2 });
    await move(client);
    expect(lines()).toEqual([get, post, post]);
    expect(asked[1]).toMatchObject({ body: amount, request: { contentType: 'application/json' }, limits: { timeoutMs: 15_000 } });
  });

  test.each([
    ['no reply', new TransportError('noReply', 'no reply within 15 s')],
    ['an answer cut off', new TransportError('tooLarge', 'too large')],
    ['nothing sent', new TransportError('notSent', 'refused')],
    ['a crash', crashed('Transaction was not confirmed')],
    ['a wrong method', { status: 405, body: '{"message":"only POST"}' }],
    ['a refusal', '{"success":false,"message":"too little"}'],
    ['a page', { status: 200, body: '<html>' }],
    ['a gateway in between', { status: 502, body: '' }],
    ['no envelope', '{}'],
  ])('are never tried again after %s', async (_, reply) => {
    const { client, lines } = clientOn([reply]);
    await expect(move(client)).rejects.toMatchObject({ name: 'ClientError' });
    expect(lines()).toEqual([get]);
  });

  test('are never tried a third time, and the last failure counts', async () => {
    const { client, lines } = clientOf({ [post]: crashed('Transaction was not confirmed in 30 s') });
    await expect(move(client)).rejects.toMatchObject({
      kind: 'http',
      status: 500,
      message: `${get} answered 404: Error Cannot ${get}; ${post} answered 500: Transaction was not confirmed in 30 s`,
    });
    expect(lines()).toEqual([get, post]);
  });

  test('that were made do not fail because of an incomplete answer', async () => {
    expect(await move(clientOn([{ result: { coin: 'USDC', time: 'just now' } }]).client)).toEqual({ coin: 'USDC' });
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('of %d are not sent', async (size) => {
    const { client, asked } = clientOn([unrouted('GET /')]);
    await expect(client.withdraw({ coin: 'USDC', size })).rejects.toThrow('cannot be moved');
    expect(asked).toEqual([]);
  });
});
