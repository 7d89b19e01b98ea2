// The margins of the exchange equal the reference implementation in random scenarios.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { naiveMargins } from '../naive/margins.ts';
import { applyCommand, scenario, startScenario } from './random-commands.ts';

test('margins equal the reference margins for every account after every command', () => {
  fc.assert(
    fc.property(scenario, ({ seed, commands }) => {
      const being = startScenario(seed);
      const { exchange, users } = being;
      for (const command of commands) {
        applyCommand(being, command);
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

test('a step leaves no account that is due for cancellation or liquidation', () => {
  fc.assert(
    fc.property(scenario, ({ seed, commands }) => {
      const being = startScenario(seed);
      for (const command of commands) applyCommand(being, command);
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
