// Whatever an exchange does and however late it tells: the truth is never worse than the worst case, and in the end they are the same.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lots } from '../../src/domain/numbers.ts';
import { commands, RandomExchange } from './random-exchange.ts';
import { SEED } from './random-world.ts';

const OPTIONS = { seed: SEED, numRuns: 1_000 };

describe.each([
  { echoes: true, name: 'an exchange that names our orders' },
  { echoes: false, name: 'an exchange that does not' },
])('$name', ({ echoes }) => {
  test('the position and all that can still fill lie within the exposure, at every moment', () => {
    fc.assert(
      fc.property(commands, (story) => {
        const exchange = new RandomExchange({ echoes });
        for (const command of story) {
          exchange.do(command);
          const { low, high, bids, asks } = exchange.world.exposure(0);
          expect(exchange.position + exchange.open('bid')).toBeLessThanOrEqual(high + bids);
          expect(exchange.position - exchange.open('ask')).toBeGreaterThanOrEqual(low - asks);
          expect(low).toBeLessThanOrEqual(high);
        }
      }),
      OPTIONS,
    );
  });

  test('once all is told, the exposure is the truth: nothing is counted twice, and nothing lingers', () => {
    fc.assert(
      fc.property(commands, (story) => {
        const exchange = new RandomExchange({ echoes });
        for (const command of story) exchange.do(command);
        exchange.settle();
        const position = lots(exchange.position);
        const [bids, asks] = [exchange.open('bid', ['rests']), exchange.open('ask', ['rests'])];
        expect(exchange.world.exposure(0)).toEqual({ low: position, high: position, bids, asks });
        const resting = exchange.orders.filter(({ stage }) => stage === 'rests').map(({ id }) => `x${id}`);
        expect(
          exchange.world
            .orders()
            .map(({ orderId }) => orderId)
            .sort(),
        ).toEqual(resting.sort());
        expect(exchange.world.foreignOrders(0)).toEqual([]);
      }),
      OPTIONS,
    );
  });
});

test('what is said of an order that is gone is true of it', () => {
  fc.assert(
    fc.property(commands, (story) => {
      const exchange = new RandomExchange({ echoes: true });
      for (const command of story) exchange.do(command);
      exchange.settle();
      for (const { order, status } of exchange.changes) {
        const truth = exchange.orders.find(({ id }) => id === order.clientOrderId);
        if (status === 'filled') expect(truth?.filled).toBe(truth?.size);
        if (status === 'rejected') expect(truth).toMatchObject({ stage: 'gone', filled: 0 });
        if (status === 'cancelled') expect(truth?.stage).not.toBe('rests');
      }
      for (const { id, stage, filled, size } of exchange.orders.filter(({ stage }) => stage === 'gone')) {
        const last = exchange.changes.filter(({ order }) => order.clientOrderId === id).at(-1);
        expect(`${id} ${last?.status}`).toBe(
          `${id} ${last?.status === 'rejected' ? 'rejected' : filled === size ? 'filled' : 'cancelled'}`,
        );
        expect(stage).toBe('gone');
      }
    }),
    OPTIONS,
  );
});
