// The conversion between decimals and ticks, lots and money: exact in both directions, with passive rounding.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Lots, lots, type Ticks, ticks } from '../../../src/bot/domain/numbers.ts';
import { BTC, marketOf } from '../world-builder.ts';

const CENTS = marketOf({ priceDecimals: 2, sizeDecimals: 2 });

describe('a requested price', () => {
  test.each([
    [0.29, 29],
    [0.57, 57],
    [1.1, 110],
    [4.35, 435],
    [70_000.07, 7_000_007],
    [0.1 + 0.2, 30],
    [1.1 * 3, 330],
    [0.7 - 0.4, 30],
  ])('%s is on the tick, despite the errors of doubles', (price, at) => {
    expect(CENTS.restAt('bid', price)).toBe(at);
    expect(CENTS.restAt('ask', price)).toBe(at);
    expect(CENTS.ticksOf(price)).toBe(at);
  });

  test.each([
    [0.295, 29, 30],
    [0.2999, 29, 30],
    [0.2901, 29, 30],
    [0.004, 0, 1],
    [70_000.070_001, 7_000_007, 7_000_008],
  ])('%s rests at %s as a bid and at %s as an ask', (price, bid, ask) => {
    expect(CENTS.restAt('bid', price)).toBe(bid);
    expect(CENTS.restAt('ask', price)).toBe(ask);
    expect(CENTS.ticksOf(price)).toBeUndefined();
  });

  test('is never rounded to the side that pays more', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), (price) => {
        const [bid, ask] = [CENTS.price(CENTS.restAt('bid', price)), CENTS.price(CENTS.restAt('ask', price))];
        const noise = 1e-8 + price * 1e-14;
        expect(bid).toBeLessThanOrEqual(price + noise);
        expect(ask).toBeGreaterThanOrEqual(price - noise);
        expect(ask - bid).toBeLessThan(0.01 + noise);
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  test('that is not a number is a bug', () => {
    for (const price of [Number.NaN, Number.POSITIVE_INFINITY]) expect(() => CENTS.restAt('bid', price)).toThrow('not a finite number');
    expect(() => CENTS.restAt('bid', 1e300)).toThrow('not a safe integer');
  });
});

describe('a price of at most five significant figures', () => {
  const market = marketOf({ priceDecimals: 4, sizeDecimals: 2, priceFigures: 5 });
  test.each([
    [1.23456, 1.2345, 1.2346],
    [12.3456, 12.345, 12.346],
    [1234.56, 1234.5, 1234.6],
    [9999.95, 9999.9, 10_000],
    [99_999.5, 99_999, 100_000],
    [123_456.7, 123_456, 123_457],
    [0.00016, 0.0001, 0.0002],
    [1234.5, 1234.5, 1234.5],
  ])('%s rests at %s as a bid and at %s as an ask', (price, bid, ask) => {
    expect([market.price(market.restAt('bid', price)), market.price(market.restAt('ask', price))]).toEqual([bid, ask]);
    for (const at of [bid, ask]) expect(market.isOrderPrice(market.parsePrice(String(at)))).toBe(true);
  });

  test('is checked, and its step is known', () => {
    expect([12_345_600, 12_345_000, 1_234_560_000].map((at) => market.isOrderPrice(ticks(at)))).toEqual([false, true, true]);
    expect([1, 99_999, 100_000, 12_345_000, 1_234_560_000].map((at) => market.stepAt(ticks(at)))).toEqual([1, 1, 10, 1_000, 10_000]);
    expect(marketOf({ priceDecimals: 2, sizeDecimals: 3, priceStep: 25, priceFigures: 5 }).stepAt(ticks(240_000))).toBe(4);
  });
});

test('the least value of an order counts at its price', () => {
  const market = marketOf({ priceDecimals: 2, sizeDecimals: 2, minNotional: 10 });
  expect([lots(99), lots(100), lots(101)].map((size) => market.isWorthEnough(ticks(1_000), size))).toEqual([false, true, true]);
  expect(marketOf({ priceDecimals: 2, sizeDecimals: 2 }).isWorthEnough(ticks(1), lots(1))).toBe(true);
});

describe('a requested size', () => {
  test.each([
    [0.29, 29],
    [0.2999, 29],
    [0.7 - 0.4, 30],
    [-0.29, -29],
    [-0.2999, -29],
    [0.001, 0],
    [0, 0],
  ])('%s is %s lots, toward zero', (size, whole) => expect(Object.is(CENTS.lots(size), whole)).toBe(true));

  test('is never larger than requested', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (size) => {
        expect(Math.abs(CENTS.size(CENTS.lots(size)))).toBeLessThanOrEqual(Math.abs(size) + 1e-8);
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});

describe('reported by the exchange', () => {
  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 0.001, 1e300])('a price of %s is refused', (price) => {
    expect(CENTS.ticksOf(price)).toBeUndefined();
  });

  test.each([-0.01, Number.NaN, 0.001, 1e300])('a size of %s is refused', (size) => expect(CENTS.lotsOf(size)).toBeUndefined());
  test('a size of 0 is accepted', () => expect(Object.is(CENTS.lotsOf(-0), 0)).toBe(true));

  test('a value off the step is refused however large the number', () => {
    const fine = marketOf({ priceDecimals: 6, sizeDecimals: 0 });
    expect(fine.ticksOf(100_000.123_456)).toBe(100_000_123_456);
    expect(fine.ticksOf(100_000.123_456_5)).toBeUndefined();
    expect(fine.ticksOf(1_000_000.000_000_4)).toBeUndefined();
  });

  test('every number of ticks and lots survives conversion to a decimal and to JSON', () => {
    const whole = fc.integer({ min: 1, max: 2 ** 46 });
    fc.assert(
      fc.property(whole, fc.nat({ max: 6 }), fc.nat({ max: 6 }), (value, priceDecimals, sizeDecimals) => {
        const market = marketOf({ priceDecimals, sizeDecimals });
        expect(market.ticksOf(JSON.parse(JSON.stringify(market.price(ticks(value)))))).toBe(value);
        expect(market.lotsOf(JSON.parse(JSON.stringify(market.size(lots(value)))))).toBe(value);
        expect(market.restAt('bid', market.price(ticks(value)))).toBe(value);
        expect(market.restAt('ask', market.price(ticks(value)))).toBe(value);
      }),
      { seed: 6, numRuns: 500 },
    );
  });

  test('with eight decimals money is rounded to the nearest millionth', () => {
    const fine = marketOf({ priceDecimals: 5, sizeDecimals: 3 });
    expect([fine.notional(ticks(5_123), lots(1)), fine.notional(ticks(5_123), lots(1_000))]).toEqual([51, 51_230]);
    expect(fine.lotValue(ticks(5_123))).toBeCloseTo(51.23, 12);
  });

  test('a mark need not be on the tick', () => {
    expect(CENTS.ticksNear(0.294_9)).toBe(29);
    expect(CENTS.ticksNear(0.295_1)).toBe(30);
    for (const price of [0.004, 0, -1, Number.NaN, Number.POSITIVE_INFINITY]) expect(CENTS.ticksNear(price)).toBeUndefined();
  });
});

describe('as text', () => {
  test('has all decimals, and can be read back', () => {
    expect([BTC.priceText(ticks(600_005)), BTC.sizeText(lots(120)), BTC.sizeText(lots(-5))]).toEqual(['60000.5', '0.0120', '-0.0005']);
    expect([BTC.parsePrice('60000.5'), BTC.parseSize('0.0120'), BTC.parseSize('-0.0005')]).toEqual([600_005, 120, -5]);
  });

  test.each(['60000.55', '1e5', '', '60,000'])('%j is no price', (text) => {
    expect(() => BTC.parsePrice(text)).toThrow(`${text} is not a decimal with at most 1 places`);
  });
});

describe('the notional', () => {
  test('of 0.0001 at 60000.5 is 6.00005', () => expect(BTC.notional(ticks(600_005), lots(1))).toBe(6_000_050));
  test('has the sign of the position', () => expect(BTC.notional(ticks(600_005), lots(-2))).toBe(-12_000_100));
  test('of zero is 0, not -0', () => expect(Object.is(BTC.notional(ticks(600_005), lots(-0)), 0)).toBe(true));

  test('is exact if price and size have at most six decimals together', () => {
    const numbers = fc.record({ price: fc.integer({ min: 1, max: 2 ** 26 }), size: fc.integer({ min: -(2 ** 24), max: 2 ** 24 }) });
    fc.assert(
      fc.property(numbers, fc.nat({ max: 6 }), ({ price, size }, priceDecimals) => {
        const market = marketOf({ priceDecimals, sizeDecimals: 6 - priceDecimals });
        expect(BigInt(market.notional(price as Ticks, size as Lots))).toBe(BigInt(price) * BigInt(size));
        const coarse = marketOf({ priceDecimals: 1, sizeDecimals: 3 });
        expect(BigInt(coarse.notional(price as Ticks, lots(size % 1000)))).toBe(BigInt(price) * BigInt(size % 1000) * 100n);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test('is rounded to the nearest millionth otherwise', () => {
    const fine = marketOf({ priceDecimals: 4, sizeDecimals: 4 });
    expect(fine.notional(ticks(149), lots(1))).toBe(1);
    expect(fine.notional(ticks(151), lots(1))).toBe(2);
  });

  test('that is too large is a bug', () => {
    expect(() => BTC.notional(ticks(2 ** 40), lots(2 ** 40))).toThrow('not a safe integer');
  });
});

describe('a tick that is not a power of ten', () => {
  // Ticks of 0.25, lots of 0.005.
  const QUARTERS = marketOf({ priceDecimals: 2, priceStep: 25, sizeDecimals: 3, sizeStep: 5 });

  test('counts prices and sizes in its own steps', () => {
    expect([QUARTERS.ticksOf(60_000.25), QUARTERS.lotsOf(0.015)]).toEqual([240_001, 3]);
    expect([QUARTERS.price(ticks(240_001)), QUARTERS.size(lots(3))]).toEqual([60_000.25, 0.015]);
  });

  test('has no price between two ticks', () => {
    expect([QUARTERS.ticksOf(60_000.1), QUARTERS.lotsOf(0.012)]).toEqual([undefined, undefined]);
    expect([QUARTERS.restAt('bid', 60_000.1), QUARTERS.restAt('ask', 60_000.1)]).toEqual([240_000, 240_001]);
    expect([QUARTERS.lots(0.019), QUARTERS.wholeLots(0.019), QUARTERS.ticksNear(60_000.2)]).toEqual([3, 3, 240_001]);
  });

  test('is written with all decimals, and read back', () => {
    expect([QUARTERS.priceText(ticks(240_002)), QUARTERS.sizeText(lots(-3))]).toEqual(['60000.50', '-0.015']);
    expect([QUARTERS.parsePrice('60000.50'), QUARTERS.parseSize('-0.015')]).toEqual([240_002, -3]);
    expect(() => QUARTERS.parsePrice('60000.10')).toThrow('a multiple of 0.25');
    expect(QUARTERS.isOnGrid({ price: '60000.25', size: '0.015' })).toBe(true);
    expect(QUARTERS.isOnGrid({ price: '60000.10', size: '0.015' })).toBe(false);
    expect(QUARTERS.isOnGrid({ price: '60000.25', size: '0.012' })).toBe(false);
  });

  test('does not change amounts of money', () => expect(QUARTERS.notional(ticks(240_001), lots(3))).toBe(900_003_750));

  test('survives conversion to a decimal and to JSON', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (value) => {
        expect(QUARTERS.ticksOf(Number(JSON.parse(JSON.stringify(QUARTERS.price(value as Ticks)))))).toBe(value);
      }),
    );
  });

  test.each([0, -1, 0.5])('cannot be %s units', (priceStep) => {
    expect(() => marketOf({ priceStep })).toThrow('whole number above 0');
  });
});

describe('an order in a market whose balances are finer', () => {
  const market = marketOf({ kind: 'spot', priceDecimals: 2, sizeDecimals: 8, orderLots: 1_000_000, buyFee: 'base' });

  test('has a size that is a multiple of its step, rounded toward zero', () => {
    expect([market.lots(1.239), market.lots(0.57), market.lots(0.009)]).toEqual([123_000_000, 57_000_000, 0]);
    expect([market.isOrderSize(lots(57_000_000)), market.isOrderSize(lots(57_000_001))]).toEqual([true, false]);
    expect(market.orderDecimals).toBe(2);
  });

  test('leaves a balance exact', () => {
    expect(market.wholeLots(0.999_300_01)).toBe(99_930_001);
    expect(market.sizeText(lots(99_930_001))).toBe('0.99930001');
  });

  test('is of spot: a perpetual has no base tokens to take a fee from', () => {
    expect(() => marketOf({ buyFee: 'base' })).toThrow('a fee in base tokens in a market that has none');
  });
});
