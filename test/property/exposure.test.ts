// The exposure against an exchange with random behaviour and delays: the true state never exceeds the worst case, and in the end they are equal.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lots } from '../../src/bot/domain/numbers.ts';
import { commands, RandomExchange, unansweredCommands } from './random-exchange.ts';
import { SEED } from './random-world.ts';

const OPTIONS = { seed: SEED, numRuns: 1_000 };

describe.each([
  { echoes: true, name: 'an exchange that names our orders' },
  { echoes: false, name: 'an exchange that does not' },
])('$name', ({ echoes }) => {
  test('the position and all possible fills lie within the exposure at every moment', () => {
    fc.assert(
      fc.property(commands, (drawn) => {
        const exchange = new RandomExchange({ echoes });
        for (const command of drawn) {
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

  test('when everything is reported the exposure equals the true state, without double counting or leftovers', () => {
    fc.assert(
      fc.property(commands, (drawn) => {
        const exchange = new RandomExchange({ echoes });
        for (const command of drawn) exchange.do(command);
        exchange.settle();
        const position = lots(exchange.position);
        const [bids, asks] = [exchange.open('bid', ['rests']), exchange.open('ask', ['rests'])];
        expect(exchange.world.exposure(0)).toEqual({ low: position, high: position, bids, asks });
        const resting = exchange.orders.filter(({ stage }) => stage === 'rests').map(({ id }) => `x${id}`);
        expect(new Set(exchange.world.orders().map(({ orderId }) => orderId))).toEqual(new Set(resting));
        expect(exchange.world.orders().length).toBe(resting.length);
        expect(exchange.world.foreignOrders(0)).toEqual([]);
      }),
      OPTIONS,
    );
  });
});

test('the reported end of an order is true', () => {
  fc.assert(
    fc.property(commands, (drawn) => {
      const exchange = new RandomExchange({ echoes: true });
      for (const command of drawn) exchange.do(command);
      exchange.settle();
      const last = new Map(exchange.changes.map((change) => [change.order.clientOrderId, change]));
      for (const { id, size, filled, clear, stage } of exchange.orders) {
        const reported = last.get(id);
        if (stage === 'rests') expect(reported?.status).toBe('open');
        else if (stage === 'lost') expect(reported?.status).toMatch(/cancelled|filled/);
        else if (reported?.status === 'rejected') expect(filled).toBe(0);
        else if (clear)
          expect([reported?.status, reported?.order.remaining]).toEqual([filled === size ? 'filled' : 'cancelled', size - filled]);
      }
    }),
    OPTIONS,
  );
});

test('the reported fills never exceed the true ones', () => {
  fc.assert(
    fc.property(commands, fc.boolean(), (drawn, echoes) => {
      const exchange = new RandomExchange({ echoes });
      for (const command of drawn) exchange.do(command);
      exchange.settle();
      const ended = exchange.changes.filter(({ status }) => status === 'filled' || status === 'cancelled');
      const reported = ended.reduce((sum, { order }) => sum + order.size - order.remaining, 0);
      expect(reported).toBeLessThanOrEqual(exchange.orders.reduce((sum, { filled }) => sum + filled, 0));
    }),
    OPTIONS,
  );
});

describe.each([true, false])('with client order ids in the account: %s', (echoes) => {
  test('no order is reported as never placed if it rests, has traded, or can still trade', () => {
    let absent = 0;
    fc.assert(
      fc.property(unansweredCommands, (drawn) => {
        const exchange = new RandomExchange({ echoes, lags: true });
        for (const command of drawn) {
          exchange.do(command);
          const denied = exchange.changes
            .filter(({ reason }) => reason === 'never reached the book')
            .map(({ order }) => order.clientOrderId);
          absent += denied.length;
          for (const { id, stage, filled, took } of exchange.orders) {
            if (!denied.includes(id)) continue;
            expect(stage, `order ${id}`).not.toBe('rests');
            if (!took) expect(filled, `order ${id}`).toBe(0);
          }
        }
      }),
      { ...OPTIONS, numRuns: 1_500 },
    );
    expect(absent, 'the stories never came so far').toBeGreaterThan(100);
  });
});
