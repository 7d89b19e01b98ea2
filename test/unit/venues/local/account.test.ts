import { describe, expect, test } from 'vitest';
import { ACCOUNT, Bench, connected, orderPage, positionPage } from './bench.ts';

const asksIn = ({ process }: Bench): number => process.requests.filter((asked) => asked === 'GET /orders').length;

describe('an account', () => {
  test('combines all answers into domain types', async () => {
    const bench = new Bench();
    bench.positions = [positionPage(), positionPage({ future: 'SOL-PERP', netSize: -3 })];
    bench.orders = [
      orderPage({ clientId: 77, remainingSize: '0.0015' }),
      orderPage({ id: 12, side: 'sell', price: '100.5', remainingSize: undefined }),
      orderPage({ id: 13, market: 'SOL-PERP', price: 9.999 }),
    ];
    bench.process.pages.set('/account', () => ({ ...ACCOUNT, positions: bench.positions }));
    await bench.connect();
    await bench.run(100);
    expect(bench.of('accountSeen')[0]?.account).toMatchObject({
      id: 7,
      updateId: '1',
      balances: [{ tokenId: 0, token: 'USDC', amount: 1_000.5 }],
      positions: [{ market: 0, size: 5_000, entry: 98.123, tradingPnl: 900_000, fundingPaymentPnl: 0, actionId: '0' }],
      orders: [
        { orderId: '18446744073709551615', clientOrderId: '77', market: 0, side: 'bid', price: 995, size: 15, originalSize: 20 },
        { orderId: '12', side: 'ask', price: 1_005, size: 20, originalSize: 20 },
      ],
      margins: { mf: 1_000_500_000 },
    });
    expect(bench.of('accountSeen')[0]?.account.positions).toHaveLength(1);
  });

  test('a short position is negative; a flat one has no entry', async () => {
    const bench = new Bench();
    bench.positions = [positionPage({ netSize: -0.5, side: 'sell' })];
    await bench.connect();
    await bench.run(100);
    bench.positions = [positionPage({ netSize: 0, size: 0 })];
    await bench.run(500);
    const [short, flat] = bench.of('accountSeen').map(({ account }) => account.positions[0]);
    expect(short).toMatchObject({ size: -5_000 });
    expect(flat).toMatchObject({ size: 0 });
    expect(flat).not.toHaveProperty('entry');
  });

  test('gives every poll a new update id', async () => {
    const bench = await connected();
    await bench.run(1_000);
    expect(bench.of('accountSeen').map(({ account }) => account.updateId)).toEqual(['1', '2', '3']);
  });

  test('is as old as the first of its answers', async () => {
    const bench = await connected();
    const [seen] = bench.of('accountSeen');
    expect((seen?.at ?? 0) - (seen?.asked ?? 0)).toBe(30);
  });
});

/** A bench whose list of orders differs at each of the next requests. */
async function changing(times: number): Promise<Bench> {
  const bench = await connected();
  let left = times;
  bench.process.pages.set('/orders', () => [orderPage({ id: left > 0 ? left-- : 0 })]);
  bench.events.length = 0;
  await bench.run(450);
  return bench;
}

describe('while it is read', () => {
  test('an order that appeared or ended is read again', async () => {
    const bench = await changing(1);
    expect(bench.of('accountSeen')).toMatchObject([{ account: { orders: [{ orderId: '0' }] } }]);
  });

  test('orders that keep changing make the poll fail', async () => {
    const bench = await changing(3);
    expect(bench.of('accountSeen')).toEqual([]);
    await bench.run(500);
    expect(bench.of('accountSeen').length).toBeGreaterThan(0);
  });

  test('orders in another order are equal', async () => {
    const bench = await connected();
    let turned = false;
    bench.process.pages.set('/orders', () => {
      turned = !turned;
      const two = [orderPage({ id: 1 }), orderPage({ id: 2 })];
      return turned ? two : two.reverse();
    });
    const before = asksIn(bench);
    await bench.run(450);
    expect(asksIn(bench) - before).toBe(2);
  });

  test('a position that differs on its own page is read again', async () => {
    const bench = await connected();
    let positions: object[] = [positionPage({ netSize: 0.6 })];
    bench.process.pages.set('/account', () => ({ ...ACCOUNT, positions }));
    bench.process.pages.set('/positions', () => {
      const shown = [positionPage({ netSize: 0.5 }), positionPage({ future: 'SOL-PERP', netSize: 0 })];
      positions = [positionPage({ netSize: 0.5 })];
      return shown;
    });
    const before = asksIn(bench);
    bench.events.length = 0;
    await bench.run(450);
    expect(asksIn(bench) - before).toBe(3);
    expect(bench.of('accountSeen')).toMatchObject([{ account: { positions: [{ size: 5_000 }] } }]);
  });

  test.each([
    ['an order off the tick', { price: 99.55 }, /price of 99.55/],
    ['an order without a price', { price: null }, /without a price/],
    ['an order off the step', { size: 0.00001 }, /size of 0.00001/],
  ])('%s makes the poll fail with the reason', async (_, order, reason) => {
    const bench = await connected();
    bench.orders = [orderPage(order)];
    await bench.run(8_000);
    expect(bench.of('healthSeen').filter(({ stream }) => stream === 'account')).toMatchObject([
      { healthy: true },
      { healthy: false, reason: expect.stringMatching(reason) },
    ]);
  });
});
