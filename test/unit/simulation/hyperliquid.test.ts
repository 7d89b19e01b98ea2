// The whole bot at Hyperliquid's API under faults: no invariant is violated. Its table of faults leaves out those that the exchange cannot have.
import { expect, test } from 'vitest';
import { kindsOf, survivableOn } from '../../../src/research/simulation/plan/exchange-faults.ts';
import { optionsOf } from '../../../src/research/simulation/plan/options.ts';
import { planOf } from '../../../src/research/simulation/plan/plan.ts';
import { trial } from '../../../src/research/simulation/trial.ts';
import { builtIn } from './subjects.ts';

/**
 * Each showed a mistake of the adapter, of the kit or of the exchange's server when it was first played: 657, an order of the account met another one of
 * it; 692, the refusal of another order was believed.
 */
test.each([
  { profile: 'smoke', seed: '2', twice: true },
  { profile: 'swarm', seed: '657', twice: false },
  { profile: 'swarm', seed: '692', twice: false },
] as const)('$profile, seed $seed', async (asked) => {
  const { failure, figures } = await trial(await builtIn('grid'), { ...asked, exchange: 'hyperliquid' });
  expect(failure && [failure.invariant, failure.message, ...failure.timeline].join('\n')).toBeUndefined();
  expect(figures.orders).toBeGreaterThan(10);
  expect(figures.fills).toBeGreaterThan(5);
});

test('no plan has a fault that Hyperliquid cannot have, and its own ones are in some', () => {
  const plans = Array.from({ length: 60 }, (_, seed) =>
    planOf(optionsOf({ seed: String(seed), profile: 'swarm', strategy: 'grid', exchange: 'hyperliquid' })),
  );
  const kinds = new Set(plans.flat().map(({ kind }) => kind));
  expect([...kinds].filter((kind) => !survivableOn('hyperliquid').some((known) => known === kind))).toEqual([]);
  expect([...kinds]).toEqual(expect.arrayContaining(['limited', 'lag', 'dropReply', 'duplicate']));
  expect(kindsOf('hosted')).not.toContain('limited');
  expect(Math.max(...plans.flat().flatMap(({ kind, amount = 0 }) => (kind === 'lag' ? [amount] : [])))).toBeGreaterThan(4_000);
});
