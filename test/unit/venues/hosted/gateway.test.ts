// The receipts of the hosted exchange: what each proves. What holds for all exchanges: `test/unit/exchange/sending.test.ts`.
import { describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import { ActionCodec, type Receipt } from '../../../../src/venues/wire/codec.ts';
import { bundledSchema } from '../../../../src/venues/wire/schema/schema.ts';
import { type Bench, cancel, connected, place } from './bench.ts';
import { accepted, type NetworkFault } from './fake-exchange.ts';

/** The faults of the network for orders and cancels. */
const toActions =
  (fault: NetworkFault) =>
  ({ path }: { path: string }): NetworkFault | undefined =>
    path === '/action' ? fault : undefined;

const result = (more: Partial<Extract<Receipt, { kind: 'placeOrder' }>>): Receipt => ({
  kind: 'placeOrder',
  actionId: '9',
  fills: [],
  ...more,
});

/** One order is sent once, and only the time when its request expires is known. */
const expectUnknown = async (bench: Bench): Promise<void> => {
  const order = place();
  const timestamp = bench.exchange.now();
  await bench.submit([order], 40_000);
  expect(bench.of('orderUnknown')).toMatchObject([{ clientOrderId: order.clientOrderId, deadAfter: timestamp + 63 }]);
  expect([...bench.of('orderOpened'), ...bench.of('orderRejected')]).toEqual([]);
  expect(bench.exchange.requests.filter((path) => path === '/action')).toHaveLength(2); // the session, and this order once
};

describe('an order that is answered', () => {
  test('is sent as it was approved, with the exchange time and exact ids', async () => {
    const bench = await connected();
    const order = place({ clientOrderId: '18446744073709551615', price: ticks(995), size: lots(20), fillMode: 'LIMIT' });
    await bench.submit([order, cancel()]);
    const [cancelling, placing] = bench.exchange.orders();
    expect(placing).toEqual({
      kind: 'placeOrder',
      timestamp: bench.exchange.now(),
      nonce: 2,
      sessionId: '1',
      marketId: 0,
      side: 'bid',
      fillMode: 'LIMIT',
      price: 995n,
      size: 20n,
      clientOrderId: '18446744073709551615',
    });
    expect(cancelling).toMatchObject({ kind: 'cancelOrder', orderId: '18446744073709551615' });
  });

  test('can rest', async () => {
    const bench = await connected();
    const order = place();
    await bench.submit([order]);
    expect(bench.of('orderOpened')).toEqual([
      {
        kind: 'orderOpened',
        at: expect.any(Number),
        clientOrderId: order.clientOrderId,
        actionId: '9',
        orderId: '9007199254740993',
        taken: [],
        resting: 20,
      },
    ]);
  });

  const fill = { orderId: '3', price: 994n, size: 5n, accountId: 2 };
  const posted = { orderId: '44', marketId: 0, side: 'bid', price: 995n, size: 15n, accountId: 7 } as const;
  test.each([
    ['filled at once', result({ fills: [fill] }), { taken: [{ price: 994, size: 5 }], resting: 0 }],
    ['filled in part', result({ fills: [fill], posted }), { taken: [{ price: 994, size: 5 }], orderId: '44', resting: 15 }],
    ['without its size', result({ posted: { ...posted, orderId: '0', size: 0n } }), { taken: [] }],
    ['with a bare receipt', result({}), { taken: [] }],
  ])('%s', async (_, receipt, expected) => {
    const bench = await connected();
    bench.exchange.answer = () => receipt;
    const order = place();
    await bench.submit([order]);
    expect(bench.of('orderOpened')).toEqual([
      { kind: 'orderOpened', at: expect.any(Number), clientOrderId: order.clientOrderId, actionId: '9', ...expected },
    ]);
  });
});

describe('an order without a definite answer is unknown, and expires 63 s after its timestamp', () => {
  test.each([
    ['the receipt is empty', { reply: { body: new Uint8Array([0]) } }],
    ['the receipt is cut off', { reply: { body: new Uint8Array([9, 8, 7]) } }],
    ['a receipt claims 2 GB', { reply: { body: new Uint8Array([255, 255, 255, 255, 7, 1]) } }],
  ] as const)('%s', async (_, fault) => {
    const bench = await connected();
    bench.exchange.fault = toActions(fault);
    await expectUnknown(bench);
  });

  const codec = new ActionCodec(bundledSchema());
  test.each([
    ['DUPLICATE', codec.encodeReceipt({ kind: 'err', actionId: '7', error: 'DUPLICATE', code: 0 })],
    ['Dropped', codec.encodeReceipt({ kind: 'err', actionId: '7', error: 'Dropped', code: 999 })],
    ['an error without a name', codec.encodeReceipt({ kind: 'err', actionId: '7', error: '', code: 4321 })],
    ['a receipt of another kind', codec.encodeReceipt({ kind: 'cancelOrder', actionId: '7', orderId: '1', accountId: 7 })],
    [
      'impossible sizes',
      codec.encodeReceipt({ kind: 'placeOrder', actionId: '7', fills: [{ orderId: '1', price: 2n ** 63n, size: 1n, accountId: 1 }] }),
    ],
  ])('%s', async (_, body) => {
    const bench = await connected();
    bench.exchange.fault = toActions({ reply: { body } });
    await expectUnknown(bench);
  });
});

describe('a cancel', () => {
  test.each([
    ['cancelled', undefined, (action: Parameters<typeof accepted>[0]) => accepted(action)],
    ['notFound', 'ORDER_NOT_FOUND', undefined],
    ['refused', 'INVALID_SIGNATURE', undefined],
    ['unknown', 'DUPLICATE', undefined],
  ] as const)('is %s', async (outcome, error, answer) => {
    const bench = await connected();
    bench.exchange.answer = answer ?? (() => bench.exchange.error(error ?? ''));
    await bench.submit([cancel({ clientOrderId: '77' })]);
    expect(bench.of('cancelAnswered')).toEqual([
      { kind: 'cancelAnswered', at: expect.any(Number), clientOrderId: '77', outcome, ...(error !== undefined && { reason: error }) },
    ]);
  });
});
