// Margins as the exchange shows them = margins worked out naively, over random lives; and what the gate lets through leaves room to open.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { naiveMargins } from '../naive/margins.ts';
import { birth, life, live } from './random-life.ts';

test('margins = naive margins, for every account after every command', () => {
  fc.assert(
    fc.property(life, ({ seed, commands }) => {
      const being = birth(seed);
      const { exchange, users } = being;
      for (const command of commands) {
        live(being, command);
        const indexes = exchange.markets.map(({ id }) => exchange.live(id)!.index!);
        for (const id of [...users, 0, 1, 3]) {
          const account = exchange.account(id)!;
          expect(account.margins).toEqual(naiveMargins(account, { markets: exchange.markets, tokens: exchange.tokens, indexes }));
        }
      }
    }),
    { seed: 43, numRuns: 60 },
  );
});

test('a step leaves no account that could still be cancelled or taken over', () => {
  fc.assert(
    fc.property(life, ({ seed, commands }) => {
      const being = birth(seed);
      for (const command of commands) live(being, command);
      being.exchange.advanceTo(being.exchange.now() + 200);
      for (const id of being.users) {
        const { margins, orders, positions } = being.exchange.account(id)!;
        expect(margins.bankruptcy).toBe(false);
        if (margins.pon > 0 && margins.omf <= margins.cmf) expect(orders).toEqual([]);
        if (positions.some(({ size }) => size !== 0)) expect(margins.mf * 2).toBeGreaterThanOrEqual(margins.mmf);
      }
    }),
    { seed: 44, numRuns: 60 },
  );
});
