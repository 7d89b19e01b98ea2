// The average cost of a position, against its two identities: cash + cost = realised, and a flat position costs nothing.
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { AverageCost } from '../../../src/bot/domain/accounting/average-cost.ts';
import { lots } from '../../../src/bot/domain/numbers.ts';

const SEED = 20_261_127;

test('the part that closes releases its share of the cost, rounded down', () => {
  const cost = new AverageCost();
  const steps = (
    [
      [3, 300],
      [4, 404],
      [-5, 515],
      [-4, 396],
    ] as const
  ).map(([size, money]) => {
    cost.add(size, money);
    return [cost.position, cost.cost];
  });
  expect(steps).toEqual([
    [3, 300],
    [7, 704],
    [2, 202],
    [-2, -198],
  ]);
});

const trade = fc.record({
  size: fc.integer({ min: -50, max: 50 }).filter((size) => size !== 0),
  price: fc.integer({ min: 1, max: 2 ** 46 }),
});

test.prop([fc.array(trade, { minLength: 1, maxLength: 60 })], { seed: SEED })(
  'a flat position costs nothing, and no other one has a cost of the other sign',
  (trades) => {
    const cost = new AverageCost();
    for (const { size, price } of trades) {
      cost.add(size, Math.abs(size) * price);
      if (cost.position === 0) expect(cost.cost).toBe(0);
      else expect(Math.sign(cost.cost)).toBe(Math.sign(cost.position));
    }
    if (cost.position !== 0) cost.add(-cost.position, 1);
    expect([cost.position, cost.cost]).toEqual([lots(0), 0]);
  },
);
