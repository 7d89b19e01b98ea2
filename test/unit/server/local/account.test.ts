// The endpoints of the local API for its account: margins, positions, fills and funding payments.
import { describe, expect, test } from 'vitest';
import { anyNumber, HOUR, ISO_8601, openLocalApi } from './open-api.ts';

interface Shown {
  readonly [field: string]: number;
}

/** Long 1 BTC at 60 000 by taking, 0.4 offered at 61 000 and 0.2 bid for at 59 000; then index and mark are 60 500. */
function invested() {
  const context = openLocalApi();
  context.theirs('ask', 1, 60_000);
  context.order({ price: 60_000, size: 1 });
  context.order({ side: 'sell', price: 61_000, size: 0.4 });
  context.order({ price: 59_000, size: 0.2 });
  context.index(60_500);
  return context;
}

describe('/account', () => {
  test('flat: fractions are those of one quote token, and nothing is required', () => {
    const { read, account } = openLocalApi();
    expect(read('/account')).toEqual({
      backstopProvider: false,
      collateral: 100_000,
      freeCollateral: 100_000,
      initialMarginRequirement: 0,
      maintenanceMarginRequirement: 0,
      liquidating: false,
      makerFee: 0.0001,
      takerFee: 0.00035,
      marginFraction: 100_000,
      openMarginFraction: 100_000,
      totalAccountValue: 100_000,
      totalPositionSize: 0,
      username: String(account),
      leverage: 20,
      positions: [],
    });
  });

  test('invested: values, requirements and fractions computed by hand', () => {
    const { read } = invested();
    const account = read('/account') as Shown & { positions: unknown };
    const collateral = 100_000 - 21; // the taker's fee
    const largest = 1.2 * 60_500; // the position, if the bid is filled and the offer is not
    expect(account).toMatchObject({
      collateral,
      freeCollateral: collateral - largest * 0.05,
      initialMarginRequirement: 0.05,
      maintenanceMarginRequirement: 0.025,
      totalAccountValue: collateral + 500,
      totalPositionSize: 60_500,
      marginFraction: (collateral + 500) / 60_500,
      openMarginFraction: collateral / largest,
      liquidating: false,
    });
    expect(account.positions).toEqual(read('/positions'));
  });

  test('values are at the mark, which is not always the index', () => {
    const { read, theirs, pass } = invested();
    theirs('bid', 0.1, 60_700);
    theirs('ask', 0.1, 60_702);
    pass(60_000);
    const [account, market] = [read('/account') as Shown, read('/markets/BTC-PERP') as Shown];
    expect(market['price']).toBeGreaterThan(60_600);
    expect(account['totalPositionSize']).toBe(market['price']);
    expect(account['totalAccountValue']).toBeCloseTo(99_979 + market['price']! - 60_000, 6);
    expect(account['marginFraction']).toBeCloseTo(account['totalAccountValue']! / account['totalPositionSize']!, 12);
  });

  test('an order that opens is accepted as long as openMarginFraction stays above initialMarginRequirement', () => {
    const { read, ask } = invested();
    let size = 40;
    for (; ask('POST', '/orders', { market: 'BTC-PERP', side: 'buy', price: 60_000, type: 'limit', size }).status !== 200; size -= 0.5);
    const account = read('/account') as Shown;
    expect(account['openMarginFraction']).toBeGreaterThan(account['initialMarginRequirement']!);
    expect(account['freeCollateral']).toBeLessThan(0.5 * 60_500 * 0.05);
    expect(size).toBe(31.5);
  });

  test('liquidating, while the maintenance margin is short', () => {
    const { read, theirs, index, order } = openLocalApi();
    theirs('ask', 25, 60_000);
    order({ price: 60_000, size: 25 });
    expect(read('/account')).toMatchObject({ liquidating: false });
    index(57_400);
    const account = read('/account') as Shown;
    expect(account).toMatchObject({ liquidating: true, freeCollateral: 0 });
    expect(account['marginFraction']).toBeLessThan(account['maintenanceMarginRequirement']!);
  });
});

describe('/positions', () => {
  test('long', () => {
    const { read } = invested();
    const positions = read('/positions');
    expect(positions).toEqual([
      {
        future: 'BTC-PERP',
        cost: 60_000,
        entryPrice: 60_000,
        initialMarginRequirement: 0.05,
        maintenanceMarginRequirement: 0.025,
        netSize: 1,
        size: 1,
        side: 'buy',
        openSize: 0.6,
        longOrderSize: 0.2,
        shortOrderSize: 0.4,
        unrealizedPnl: 500,
        collateralUsed: 1_815,
      },
    ]);
    expect(read('/positions?showAvgPrice=true')).toEqual(positions);
  });

  test('short', () => {
    const { read, theirs, order } = openLocalApi();
    theirs('bid', 0.5, 60_010);
    order({ side: 'sell', price: 60_000, size: 0.5 });
    expect(read('/positions')).toMatchObject([
      { cost: -30_005, entryPrice: 60_010, netSize: -0.5, size: 0.5, side: 'sell', unrealizedPnl: 5 },
    ]);
  });

  test('flat, with an order that may open one; none of a spot market', () => {
    const { read, order } = openLocalApi();
    order({});
    order({ market: 'SOL/USDC', price: 140, size: 1 });
    expect(read('/positions')).toMatchObject([{ future: 'BTC-PERP', netSize: 0, size: 0, side: 'buy', entryPrice: 0, openSize: 0.1 }]);
  });
});

describe('/orders/history', () => {
  test('is the account’s fills, newest first, as taker and as maker', () => {
    const { theirs, order, pass, ask } = openLocalApi();
    theirs('ask', 0.3, 60_000);
    order({ price: 60_000, size: 0.1 });
    pass(1_000);
    order({ price: 59_990, size: 0.2 });
    theirs('ask', 0.05, 59_990);
    theirs('bid', 1, 60_000); // between others
    const named = { symbol: 'BTC-PERP', future: 'BTC-PERP', market: 'BTC-PERP', side: 'buy', time: ISO_8601 };
    const fills = [
      { ...named, liquidity: 'maker', price: 59_990, size: 0.05 },
      { ...named, liquidity: 'taker', price: 60_000, size: 0.1 },
    ];
    expect(ask('GET', '/orders/history?market=BTC-PERP')).toEqual({
      status: 200,
      body: { success: true, result: fills, hasMoreData: false },
    });
    expect(ask('GET', '/trades/history?market=BTC-PERP&page=1')).toEqual(ask('GET', '/orders/history?market=BTC-PERP'));
    expect(ask('GET', '/trades/history?market=ETH-PERP').body['result']).toEqual([]);
  });

  test('a trade with itself is two fills', () => {
    const { ask, order } = openLocalApi();
    order({ side: 'sell', price: 60_000 });
    order({ price: 60_000 });
    expect(ask('GET', '/orders/history').body['result']).toMatchObject([
      { liquidity: 'taker', side: 'buy' },
      { liquidity: 'maker', side: 'sell' },
    ]);
  });

  test('hasMoreData is true if there is another page', () => {
    const { ask, theirs, order } = openLocalApi();
    for (let price = 60_000; price < 60_060; price++) theirs('ask', 0.001, price);
    order({ price: 60_100, size: 0.06 });
    const pages = [1, 2, 3].map((page) => ask('GET', `/orders/history?market=BTC-PERP&page=${page}`).body);
    expect(pages.map((page) => [(page['result'] as unknown[]).length, page['hasMoreData']])).toEqual([
      [50, true],
      [10, false],
      [0, false],
    ]);
  });
});

describe('/funding_payments', () => {
  test('are paid at the full hour, and add up to the funding of the position', () => {
    const context = openLocalApi({ start: Date.UTC(2026, 0, 15, 12, 59, 58) });
    const { read, theirs, order, pass, exchange, account } = context;
    theirs('bid', 0.5, 60_059.9);
    theirs('ask', 2.5, 60_060.1);
    order({ price: 60_060.1, size: 2 });
    pass(1_000);
    expect(read('/funding_payments')).toEqual([]);
    const rate = exchange.live(0)!.fundingRate!;
    pass(1_000);
    const payment = { future: 'BTC-PERP', rate: anyNumber, payment: anyNumber, date: '2026-01-15T13:00:00.000Z' };
    const [first] = read('/funding_payments') as Shown[];
    expect(first).toEqual(payment);
    expect(first!['rate']).toBeGreaterThan(rate);
    expect(first!['payment']).toBeCloseTo(first!['rate']! * 60_000 * 2, 4);
    pass(HOUR);
    const payments = read('/funding_payments?future=BTC-PERP') as Shown[];
    expect(payments).toEqual([{ ...payment, date: '2026-01-15T14:00:00.000Z' }, first]);
    const paid = payments.reduce((sum, row) => sum + row['payment']!, 0);
    expect(paid).toBeCloseTo(-exchange.account(account)!.positions[0]!.fundingPaymentPnl / 1e6, 6);
    expect(read('/funding_payments?market=BTC-PERP')).toEqual(payments);
    expect(read('/funding_payments?future=ETH-PERP')).toEqual([]);
    expect(read('/funding_payments?page=2')).toEqual([]);
    expect((read('/account') as Shown)['collateral']).toBe(100_000 - Math.ceil(2 * 60_060.1 * 350) / 1e6);
  });
});
