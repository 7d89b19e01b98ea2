// Flags that the process ignored: how that is detected, and how it ends a run.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../../src/base/errors.ts';
import type { FillMode } from '../../../../src/bot/domain/order.ts';
import { type Bench, cancel, connected, fillPage, orderPage, place, START } from './bench.ts';

const FLAGS = [
  ['POST_ONLY', 'postOnly'],
  ['IMMEDIATE_OR_CANCEL', 'ioc'],
] as const;

const expectFlagError = ({ failure }: Bench, words: string): void => {
  expect(failure).toBeInstanceOf(UserError);
  expect(failure).toMatchObject({ code: 'ignored-flag', message: expect.stringContaining(words) });
};

/** An order that was accepted, without any flags in the answer. */
const placed = async (fillMode: FillMode, more: object = {}) => {
  const bench = await connected();
  const order = place({ fillMode, ...more });
  await bench.submit([order]);
  return { bench, order };
};

describe('is detected', () => {
  test.each(FLAGS)('for %s from the answer', async (fillMode, flag) => {
    const bench = await connected();
    bench.process.place = () => ({ status: 'open', reduceOnly: false, ioc: false, postOnly: false });
    await bench.submit([place({ fillMode })], 10_000);
    expectFlagError(bench, `${flag} was requested, but the process answered ${flag}: false`);
  });

  test('from a taker fill of a post-only order, at any price that crosses', async () => {
    const { bench } = await placed('POST_ONLY');
    bench.fills = [fillPage({ liquidity: 'taker', price: 99.4, size: 0.001 })];
    await bench.run(10_000);
    expectFlagError(bench, 'postOnly was requested, but the process let the order take');
  });

  test('from an order in the book that was to be cancelled at once', async () => {
    const { bench, order } = await placed('IMMEDIATE_OR_CANCEL');
    bench.orders = [orderPage({ clientId: order.clientOrderId })];
    await bench.run(1_000);
    bench.orders = [];
    await bench.run(10_000);
    expectFlagError(bench, 'ioc was requested, but the process let the order rest');
  });
});

describe('is not concluded', () => {
  test.each([
    ['a maker’s fill', {}],
    ['a fill at a price that does not cross', { liquidity: 'taker', price: 99.6 }],
    ['a fill on the other side', { liquidity: 'taker', side: 'sell' }],
    ['a larger fill', { liquidity: 'taker', size: 0.003 }],
    ['an earlier fill', { liquidity: 'taker', time: new Date(START - 5_000).toISOString() }],
  ])('from %s', async (_, fill) => {
    const { bench } = await placed('POST_ONLY');
    bench.fills = [fillPage(fill)];
    await bench.run(10_000);
    expect(bench.of('fillsSeen').flatMap(({ fills }) => fills)).toHaveLength(1);
    expect(bench.failure).toBeUndefined();
  });

  test.each(['LIMIT', 'IMMEDIATE_OR_CANCEL'] as const)('from a taker fill that a %s order may have had', async (fillMode) => {
    const { bench } = await placed('POST_ONLY');
    await bench.submit([place({ fillMode })]);
    bench.fills = [fillPage({ liquidity: 'taker' })];
    await bench.run(10_000);
    expect(bench.failure).toBeUndefined();
  });

  test('from a taker fill long after the answer, nor after a refusal: it belongs to another order', async () => {
    const { bench } = await placed('POST_ONLY');
    await bench.run(5_000);
    bench.process.fault = ({ method }) =>
      method === 'POST' ? { reply: { status: 400, body: '{"message": "it would take"}' } } : undefined;
    await bench.submit([place()]);
    bench.fills = [fillPage({ liquidity: 'taker', time: new Date(bench.clock.now()).toISOString() })];
    await bench.run(10_000);
    expect(bench.failure).toBeUndefined();
  });

  test('from a flag that the answer lacks', async () => {
    const bench = await connected();
    bench.process.place = () => ({ txId: 'x', postOnly: null });
    await bench.submit([place()], 10_000);
    expect(bench.failure).toBeUndefined();
  });
});

/** Ten post-only orders whose flag is answered with false; two of the accepted ones rest. */
const ignoring = async () => {
  const bench = await connected();
  bench.process.place = () => ({ status: 'open', reduceOnly: false, ioc: false, postOnly: false });
  const orders = Array.from({ length: 10 }, () => place());
  await bench.submit(orders, 5);
  bench.orders = orders.slice(0, 2).map(({ clientOrderId }, index) => orderPage({ id: String(index + 1), clientId: clientOrderId }));
  bench.orders.push(orderPage({ id: '3', clientId: 'another’s' }));
  await bench.run(995);
  return bench;
};

describe('the run', () => {
  test('places nothing more, and reports each order as not sent', async () => {
    const bench = await ignoring();
    expect(bench.process.posted).toHaveLength(8);
    await bench.submit([cancel({ orderId: '9' }), place(), place()]);
    expect(bench.process.posted).toHaveLength(8);
    expect(bench.of('orderRejected').map(({ error }) => error)).toEqual(Array(4).fill('NOT_SENT'));
  });

  test('is unhealthy from then on, with the reason, once', async () => {
    const bench = await ignoring();
    const why = expect.stringContaining('postOnly: false');
    expect(bench.of('healthSeen').filter(({ healthy }) => !healthy)).toMatchObject([{ stream: 'session', reason: why }]);
    expect(bench.logged).toEqual([why]);
  });

  test('cancels each of its resting orders once, and no foreign one', async () => {
    const bench = await ignoring();
    await bench.run(3_000);
    expect(bench.process.writes.filter((writeRequest) => writeRequest.startsWith('DELETE'))).toEqual([
      'DELETE /orders/1',
      'DELETE /orders/2',
    ]);
  });

  test('ends only when two lists that are far enough apart lack them, and fills were reported until then', async () => {
    const bench = await ignoring();
    await bench.run(5_000);
    expect(bench.failure).toBeUndefined();
    bench.orders = [];
    await bench.run(3_900);
    expect(bench.failure).toBeUndefined();
    await bench.run(1_500);
    expectFlagError(bench, 'postOnly');
  });

  test('continues to wait after only one list that lacks them', async () => {
    const bench = await ignoring();
    const { orders } = bench;
    bench.orders = [];
    await bench.run(500);
    bench.orders = orders;
    await bench.run(10_000);
    expect(bench.failure).toBeUndefined();
  });

  test('waits for orders that have no answer yet', async () => {
    const { bench } = await placed('POST_ONLY');
    bench.process.fault = ({ method }) => (method === 'POST' ? { lost: true } : undefined);
    await bench.submit([place()]);
    bench.fills = [fillPage({ liquidity: 'taker' })];
    await bench.run(6_500);
    expect(bench.failure).toBeUndefined();
    await bench.run(4_000);
    expectFlagError(bench, 'postOnly');
  });

  test('still ends if they stay', async () => {
    const bench = await ignoring();
    await bench.run(18_000);
    expect(bench.failure).toBeUndefined();
    await bench.run(3_000);
    expectFlagError(bench, 'postOnly');
  });
});
