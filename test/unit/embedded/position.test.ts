// The arithmetic of positions: average prices, realised profit, and rounding that neither creates nor loses money.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lots, micros } from '../../../src/bot/domain/numbers.ts';
import { afterTrade, type PerpPosition } from '../../../src/embedded/exchange/state/position.ts';

const of = (size: number, cost: number): PerpPosition => ({ size: lots(size), cost: micros(cost) });
const FLAT = of(0, 0);

describe('traded', () => {
  test.each([
    ['opens long', FLAT, of(10, 1_000), of(10, 1_000), 0],
    ['opens short', FLAT, of(-10, -1_000), of(-10, -1_000), 0],
    ['adds', of(10, 1_000), of(5, 600), of(15, 1_600), 0],
    ['closes a part at a profit', of(10, 1_000), of(-4, -480), of(6, 600), 80],
    ['closes a short at a loss', of(-10, -1_000), of(10, 1_100), FLAT, -100],
    ['turns over: the rest is a new position at the new price', of(10, 1_000), of(-15, -1_800), of(-5, -600), 200],
    ['rounds the average to the millionth', of(3, 100), of(-1, -40), of(2, 67), 7],
  ])('%s', (_, before, trade, after, realised) => {
    expect(afterTrade(before, trade)).toEqual({ position: after, realised });
  });

  test('realised profit minus cost is the money that changed hands; flat positions cost nothing', () => {
    const trade = fc.record({
      size: fc.integer({ min: -500, max: 500 }).filter((size) => size !== 0),
      price: fc.integer({ min: 1, max: 9_999 }),
    });
    fc.assert(
      fc.property(fc.array(trade, { minLength: 1, maxLength: 30 }), (trades) => {
        let position = FLAT;
        let [balance, paid] = [0, 0];
        for (const { size, price } of trades) {
          const leg = afterTrade(position, of(size, size * price));
          position = leg.position;
          balance += leg.realised;
          paid += size * price;
          expect(balance - position.cost).toBe(-paid);
          if (position.size === 0) expect(position.cost).toBe(0);
          else expect(Math.sign(position.cost)).toBe(Math.sign(position.size));
        }
      }),
      { seed: 7 },
    );
  });

  test('the same where a lot at one tick is worth a hundredth of a millionth, so that each trade is rounded', () => {
    const trade = fc.record({
      size: fc.integer({ min: -500, max: 500 }).filter((size) => size !== 0),
      price: fc.integer({ min: 1, max: 9_999 }),
    });
    fc.assert(
      fc.property(fc.array(trade, { minLength: 1, maxLength: 30 }), (trades) => {
        let position = FLAT;
        let [balance, paid] = [0, 0];
        for (const { size, price } of trades) {
          const cost = Math.round(size * price * 0.01);
          const leg = afterTrade(position, of(size, cost));
          position = leg.position;
          balance += leg.realised;
          paid += cost;
          expect(balance - position.cost + paid).toBe(0);
          if (position.size === 0) expect(position.cost).toBe(0);
        }
      }),
      { seed: 8 },
    );
  });
});
