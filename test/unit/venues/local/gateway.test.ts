import { describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import { type Bench, cancel, connected, fillPage, orderPage, place, START } from './bench.ts';
import type { NetworkFault } from './fake-process.ts';

const isDeed = ({ method }: { method: string }): boolean => method !== 'GET';
const answering = (bench: Bench, fault: NetworkFault): void => {
  bench.process.fault = (request) => (isDeed(request) ? fault : undefined);
};
const refusal = (message: string, status = 400): NetworkFault => ({ reply: { status, body: JSON.stringify({ success: false, message }) } });

describe('an order', () => {
  test.each([
    ['POST_ONLY', { postOnly: true }],
    ['IMMEDIATE_OR_CANCEL', { ioc: true }],
    ['LIMIT', {}],
  ] as const)('%s is sent once, in decimals, with its flag and its client id', async (fillMode, flags) => {
    const bench = await connected();
    const order = place({ fillMode, side: 'ask', price: ticks(1_005), size: lots(20) });
    await bench.submit([order]);
    const { clientOrderId: clientId } = order;
    expect(bench.process.posted).toEqual([
      { market: 'BTC-PERP', side: 'sell', price: 100.5, size: 0.002, type: 'limit', clientId, ...flags },
    ]);
  });

  test('that only reduces is marked', async () => {
    const bench = await connected();
    const reducing = { fillMode: 'IMMEDIATE_OR_CANCEL', reduceOnly: true } as const;
    await bench.submit([place(reducing), place()]);
    expect(bench.process.posted).toMatchObject([{ ioc: true, reduceOnly: true }, { postOnly: true }]);
    expect(bench.process.posted[1]).not.toHaveProperty('reduceOnly');
  });

  test('that was accepted is reported as open when the account lists it, by its client id', async () => {
    const bench = await connected();
    const order = place();
    await bench.submit([order]);
    expect(bench.fateOf(order)).toEqual([]);
    bench.orders = [orderPage({ clientId: order.clientOrderId, size: 0.002, remainingSize: 0.0015 })];
    await bench.run(600);
    expect(bench.fateOf(order)).toMatchObject([{ kind: 'orderOpened', orderId: '18446744073709551615', taken: [], resting: 15 }]);
    await bench.run(5_000);
    expect(bench.fateOf(order)).toHaveLength(1);
  });

  test('is reported as open when a fill shows it, whether the answer or the fill comes first', async () => {
    const bench = await connected();
    const [early, late] = [place(), place({ price: ticks(994) })];
    bench.process.fault = ({ method }) => (method === 'POST' && bench.process.posted.length > 0 ? { lateMs: 2_000 } : undefined);
    await bench.submit([early]);
    await bench.submit([late]);
    bench.fills = [fillPage(), fillPage({ price: 99.4 })];
    await bench.run(600);
    expect(bench.fateOf(early)).toMatchObject([{ kind: 'orderOpened', taken: [] }]);
    expect(bench.fateOf(early)).not.toMatchObject([{ resting: expect.anything() }]);
    expect(bench.fateOf(late)).toEqual([]);
    await bench.run(2_000);
    expect(bench.fateOf(late)).toMatchObject([{ kind: 'orderOpened' }]);
  });

  test('that equals another needs its own fill', async () => {
    const bench = await connected();
    bench.process.fault = ({ method }) => (method === 'POST' ? { lateMs: 2_000 } : undefined);
    const twins = [place(), place()];
    await bench.submit(twins);
    bench.fills = [fillPage(), fillPage()];
    await bench.run(3_000);
    for (const twin of twins) expect(bench.fateOf(twin)).toMatchObject([{ kind: 'orderOpened' }]);
  });

  test.each([
    ['an order that may not rest', 'IMMEDIATE_OR_CANCEL', fillPage()],
    ['an order at another price', 'LIMIT', fillPage({ price: 99.4 })],
    ['an order of the other side', 'LIMIT', fillPage({ side: 'sell' })],
    ['a smaller order', 'LIMIT', fillPage({ size: 0.0021 })],
  ] as const)('%s is not proved by a fill that it cannot have had', async (_, fillMode, fill) => {
    const bench = await connected();
    const order = place({ fillMode });
    await bench.submit([order]);
    bench.fills = [fill];
    await bench.run(1_000);
    expect(bench.of('fillsSeen').flatMap(({ fills }) => fills)).toHaveLength(1);
    expect(bench.fateOf(order)).toEqual([]);
  });

  test('that was accepted and does not appear anywhere is unknown, until it appears', async () => {
    const bench = await connected();
    const order = place();
    await bench.submit([order]);
    await bench.run(1_800);
    expect(bench.fateOf(order)).toEqual([]);
    await bench.run(1_000);
    const [unknown] = bench.fateOf(order);
    expect(unknown).toMatchObject({
      kind: 'orderUnknown',
      reason: expect.stringContaining('neither its orders nor its fills showed it within 2 s'),
    });
    expect(unknown).toMatchObject({ deadAfter: Math.ceil((START + 200) / 1_000) + 75 });
    bench.orders = [orderPage({ clientId: order.clientOrderId })];
    await bench.run(1_000);
    expect(bench.fateOf(order)).toMatchObject([{ kind: 'orderUnknown' }, { kind: 'orderOpened', orderId: '18446744073709551615' }]);
  });

  test('needs no other proof if the process says that nothing rests', async () => {
    const bench = await connected();
    const order = place({ fillMode: 'IMMEDIATE_OR_CANCEL' });
    bench.process.place = () => ({ status: 'closed', filledSize: 0.0015, remainingSize: 0.0005, ioc: true });
    await bench.submit([order]);
    expect(bench.fateOf(order)).toMatchObject([{ kind: 'orderOpened', taken: [{ price: 995, size: 15 }], resting: 0 }]);
    await bench.run(5_000);
    expect(bench.fateOf(order)).toHaveLength(1);
  });

  test.each([
    ['market', { market: 'SOL-PERP' }],
    ['side', { side: 'sell' }],
    ['price', { price: 99.4 }],
    ['size', { size: 0.003 }],
    ['client id', { clientId: '4' }],
  ])('that is answered with another %s is unknown, and the connections are closed', async (_, echo) => {
    const bench = await connected();
    const resets: string[] = [];
    Object.assign(bench.process, { reset: (reason: string) => resets.push(reason) });
    bench.process.place = (body) => ({ ...body, ioc: undefined, postOnly: true, ...echo });
    const order = place();
    await bench.submit([order]);
    expect(bench.fateOf(order)).toMatchObject([{ kind: 'orderUnknown', reason: expect.stringContaining('another order') }]);
    expect(resets).toHaveLength(1);
  });

  test('that is answered like a cancel, and a cancel that is answered like an order, are unknown too', async () => {
    const bench = await connected();
    const resets: string[] = [];
    Object.assign(bench.process, { reset: (reason: string) => resets.push(reason) });
    answering(bench, { reply: { body: JSON.stringify({ success: true, result: 'queued for cancellation' }) } });
    const order = place();
    await bench.submit([order]);
    expect(bench.fateOf(order)).toMatchObject([{ kind: 'orderUnknown' }]);
    answering(bench, { reply: { body: JSON.stringify({ success: true, result: { txId: 'x' } }) } });
    await bench.submit([cancel()]);
    expect(bench.of('cancelAnswered')).toMatchObject([{ outcome: 'unknown' }]);
    expect(resets.length).toBeGreaterThan(0);
  });

  test('that was refused has the reason of the process, shortened', async () => {
    const bench = await connected();
    answering(bench, refusal(`INSUFFICIENT_FUNDS: ${'so little '.repeat(30)}`));
    const order = place();
    await bench.submit([order]);
    const [rejected] = bench.fateOf(order);
    expect(rejected).toMatchObject({ kind: 'orderRejected', error: expect.stringMatching(/^INSUFFICIENT_FUNDS: so little .*…$/) });
    expect(JSON.stringify(rejected).length).toBeLessThan(260);
    await bench.run(5_000);
    expect(bench.fateOf(order)).toHaveLength(1);
  });

  test.each<[string, NetworkFault]>([
    ['refused in the envelope', refusal('no', 200)],
    ['a market that does not exist', { reply: { status: 404, body: '' } }],
    ['a bad request without an envelope', { reply: { status: 400, body: '{"message": "no"}' } }],
  ])('%s: nothing was placed', async (_, fault) => {
    const bench = await connected();
    answering(bench, fault);
    const order = place();
    await bench.submit([order]);
    expect(bench.fateOf(order)).toMatchObject([{ kind: 'orderRejected' }]);
  });

  test.each<[string, NetworkFault]>([
    ['a failure of the process', { reply: { status: 500, body: '{"message": "the transaction was not confirmed"}' } }],
    ['a refusal that is an internal failure', refusal('no', 503)],
    ['an answer of another shape', { reply: { body: '{"success": true, "result": 5}' } }],
  ])('%s: it is unknown', async (_, fault) => {
    const bench = await connected();
    answering(bench, fault);
    const order = place();
    await bench.submit([order]);
    expect(bench.fateOf(order)).toMatchObject([{ kind: 'orderUnknown', deadAfter: expect.any(Number) }]);
    expect(bench.process.writes).toHaveLength(1);
  });

  test('with fill-or-kill is a programmer error: nothing is sent', async () => {
    const bench = await connected();
    expect(() => bench.venue.gateway.submit([cancel(), place({ fillMode: 'FILL_OR_KILL' })])).toThrow(/fill-or-kill/);
    await bench.run(50);
    expect(bench.process.writes).toEqual([]);
  });
});

describe('a cancel', () => {
  test('that is accepted is queued', async () => {
    const bench = await connected();
    await bench.submit([cancel()]);
    expect(bench.of('cancelAnswered')).toMatchObject([{ clientOrderId: '5', outcome: 'queued' }]);
    expect(bench.process.writes).toEqual(['DELETE /orders/18446744073709551615']);
  });

  test.each<[string, NetworkFault, object]>([
    [
      'an unknown order',
      refusal('ORDER_NOT_FOUND: no such order is open', 404),
      { outcome: 'notFound', reason: expect.stringContaining('no such order') },
    ],
    ['a failure of the process', { reply: { status: 500, body: '{"message": "oh"}' } }, { outcome: 'unknown', reason: 'oh' }],
  ])('%s', async (_, fault, answer) => {
    const bench = await connected();
    answering(bench, fault);
    await bench.submit([cancel()]);
    expect(bench.of('cancelAnswered')).toMatchObject([answer]);
    expect(bench.process.writes).toHaveLength(1);
  });
});

test('no wallet endpoint that moves funds is ever called', async () => {
  const bench = await connected();
  await bench.submit([place(), cancel()], 120_000);
  expect(bench.process.requests.filter((request) => /deposits|withdrawals/.test(request))).toEqual([]);
});
