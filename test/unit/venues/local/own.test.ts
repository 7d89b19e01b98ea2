import { describe, expect, test } from 'vitest';
import { ACCOUNT, Bench, connected, fillPage, positionPage, START } from './bench.ts';

const fillsReported = (bench: Bench) => bench.of('fillsSeen').flatMap(({ fills }) => fills);
const later = (ms: number): { time: string } => ({ time: new Date(START + ms).toISOString() });

describe('our fills', () => {
  test('are reported once, as domain types, with fees from the stated rates', async () => {
    const bench = await connected();
    bench.fills = [fillPage({ ...later(900), liquidity: 'taker', side: 'sell', price: '100.5' }), fillPage()];
    await bench.run(2_000);
    expect(fillsReported(bench)).toMatchObject([
      { market: 0, side: 'bid', role: 'maker', price: 995, size: 20, orderId: '', fee: 20, time: START + 500 },
      { side: 'ask', role: 'taker', price: 1_005, size: 20, fee: 80, time: START + 900 },
    ]);
    const [first, second] = fillsReported(bench);
    expect(first?.actionId).toBe(first?.tradeId);
    expect(first?.tradeId).not.toBe(second?.tradeId);
    expect(first).not.toHaveProperty('clientOrderId');
  });

  test('have no fee if the process states no rates', async () => {
    const bench = await connected();
    bench.process.pages.set('/account', () => ({ ...ACCOUNT, makerFee: null, takerFee: null }));
    await bench.run(1_000);
    bench.fills = [fillPage()];
    await bench.run(1_000);
    expect(fillsReported(bench)[0]).not.toHaveProperty('fee');
  });

  test('before the run are left out', async () => {
    const bench = new Bench();
    bench.fills = [fillPage(later(-5_000)), fillPage(later(-10_000))];
    await bench.connect();
    bench.fills = [fillPage(), ...bench.fills];
    await bench.run(2_000);
    expect(fillsReported(bench)).toMatchObject([{ time: START + 500 }]);
  });

  test('of an earlier process are reported if it did not report them', async () => {
    const first = await connected();
    first.fills = [fillPage()];
    await first.run(1_000);
    const reported = fillsReported(first);
    const second = new Bench();
    second.fills = [fillPage(later(700)), ...first.fills];
    await second.connect({ resume: { since: START, reported } });
    await second.run(1_000);
    expect(fillsReported(second)).toMatchObject([{ time: START + 700 }]);
  });

  test('are requested market by market', async () => {
    const bench = new Bench();
    await bench.connect({ markets: ['BTC-PERP', 'SOL-PERP'] });
    await bench.run(100);
    expect(bench.process.requests).toEqual(
      expect.arrayContaining(['GET /orders/history?market=BTC-PERP&page=0', 'GET /orders/history?market=SOL-PERP&page=0']),
    );
  });
});

const payment = (ms: number, more: object = {}) => ({
  future: 'BTC-PERP',
  rate: 0.0001,
  payment: 0.25,
  date: new Date(START + ms).toISOString(),
  ...more,
});

test('funding that was paid since the start of the run is part of the position', async () => {
  const bench = new Bench();
  bench.positions = [positionPage()];
  let payments = [payment(-1_000)];
  bench.process.pages.set('/funding_payments', (query) => (query.get('page') === '0' ? payments : []));
  await bench.connect();
  await bench.run(1_000);
  expect(bench.of('accountSeen').at(-1)?.account.positions[0]?.fundingPaymentPnl).toBe(0);
  payments = [payment(30_000), payment(20_000, { future: 'SOL-PERP' }), payment(10_000, { payment: -1 }), ...payments];
  await bench.run(61_000);
  expect(bench.of('accountSeen').at(-1)?.account.positions[0]?.fundingPaymentPnl).toBe(750_000);
});
