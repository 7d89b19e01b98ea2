// Shrinking the failure of a strategy that fails when the index jumps: one of many faults is left.
import { expect, test } from 'vitest';
import { defineStrategy } from '../../../src/index.ts';
import type { InjectedFault } from '../../../src/research/simulation/plan/faults.ts';
import { optionsOf } from '../../../src/research/simulation/plan/options.ts';
import { play } from '../../../src/research/simulation/play.ts';
import { shrink } from '../../../src/research/simulation/shrink.ts';
import { failureOf, type SimulatedStrategy } from '../../../src/research/simulation/trial.ts';

const brittle = defineStrategy({
  name: 'brittle',
  defaults: { market: 'BTCUSDC' },
  create: ({ market }) => {
    let first: number | undefined;
    return (view) => {
      const { index } = view.market(market);
      first ??= index;
      if (first !== undefined && index !== undefined && index > first * 1.01) throw new Error('who would have thought of that');
      return [];
    };
  },
});
const subject = { name: 'brittle', strategy: brittle, params: { market: 'BTCUSDC' }, markets: ['BTCUSDC'] } as unknown as SimulatedStrategy;
const options = { ...optionsOf({ seed: 'brittle', profile: 'calm', strategy: 'brittle' }), faultyMs: 60_000 };
const fault = (id: string, kind: InjectedFault['kind'], more: Partial<InjectedFault> = {}): InjectedFault => ({
  id,
  kind,
  from: 20_000,
  until: 40_000,
  ...more,
});

test('leaves one of many faults, and a shorter run', async () => {
  const plan = [
    fault('a', 'delayReply', { path: 'trades', amount: 200 }),
    fault('b', 'duplicate', { path: 'action', amount: 20 }),
    fault('c', 'shock', { until: 20_000, amount: 200 }),
    fault('d', 'crash', { until: 20_000, from: 10_000, detail: 'kill' }),
    fault('e', 'corrupt', { path: 'info' }),
  ];
  const found = failureOf(await play({ ...subject, options, plan }));
  expect(found).toMatchObject({ invariant: 'V25', message: expect.stringContaining('who would have thought') as string });
  if (found === undefined) return;
  const small = await shrink(subject, found);
  expect(small.plan.map(({ kind }) => kind)).toEqual(['shock']);
  expect(small.options.faultyMs).toBeLessThan(options.faultyMs);
  expect(small.timeline.length).toBeGreaterThan(0);
});
