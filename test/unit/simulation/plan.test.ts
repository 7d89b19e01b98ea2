// Plans of faults: a seed always makes the same plan, and leaving one fault out does not change the others.
import { describe, expect, test } from 'vitest';
import { FaultBox } from '../../../src/research/simulation/plan/fault-box.ts';
import type { InjectedFault } from '../../../src/research/simulation/plan/faults.ts';
import { survivableOn } from '../../../src/research/simulation/plan/faults-by-exchange.ts';
import { optionsOf, optionsText } from '../../../src/research/simulation/plan/options.ts';
import { planOf } from '../../../src/research/simulation/plan/plan.ts';

const swarm = (seed: string) => optionsOf({ seed, profile: 'swarm', strategy: 'grid' });

test('equal seeds make equal plans', () => {
  expect(optionsText(swarm('7'))).toBe(optionsText(swarm('7')));
  expect(planOf(swarm('7'))).toEqual(planOf(swarm('7')));
  expect(planOf(swarm('7'))).not.toEqual(planOf(swarm('8')));
});

test.each([
  { profile: 'swarm', kinds: survivableOn('hosted') },
  { profile: 'rollback', kinds: [...survivableOn('hosted'), 'rollback'] },
] as const)('many seeds of $profile use every kind of fault that is meant, and none begins after the healing', ({ profile, kinds }) => {
  const seen = new Set<InjectedFault['kind']>();
  for (let seed = 0; seed < 60; seed++) {
    const options = optionsOf({ seed: String(seed), profile, strategy: 'grid' });
    const plan = planOf(options);
    for (const { kind } of plan) seen.add(kind);
    const { faultyMs } = options;
    expect(plan.filter(({ from, until }) => from >= faultyMs || until > faultyMs || until < from)).toEqual([]);
  }
  expect(seen).toEqual(new Set(kinds));
});

test('the calm profile has no faults', () => {
  expect(planOf(optionsOf({ seed: '1', profile: 'calm', strategy: 'grid' }))).toEqual([]);
});

const some = (id: string, kind: InjectedFault['kind'] = 'dropReply'): InjectedFault => ({ id, kind, from: 0, until: 1_000, chance: 0.5 });
const drawn = (plan: readonly InjectedFault[]): readonly boolean[] => {
  const box = new FaultBox({ plan, seed: 's', now: () => 500, onStruck: () => undefined });
  return Array.from({ length: 40 }, () => box.hit('dropReply') !== undefined);
};

describe('the faults of a plan', () => {
  test('draw from separate random streams', () => {
    expect(drawn([some('a'), some('b', 'duplicate')])).toEqual(drawn([some('a')]));
    expect(drawn([some('b')])).not.toEqual(drawn([some('a')]));
  });

  test('strike within their time and scope, and are counted', () => {
    let now = 0;
    const struck: string[] = [];
    const fault: InjectedFault = { id: 'a', kind: 'dropReply', from: 100, until: 200, path: 'account' };
    const box = new FaultBox({ plan: [fault], seed: 's', now: () => now, onStruck: ({ id }) => void struck.push(id) });
    expect(box.hit('dropReply', 'account')).toBeUndefined();
    now = 150;
    expect(box.hit('dropReply', 'book')).toBeUndefined();
    expect(box.hit('dropReply', 'account')).toBe(fault);
    now = 200;
    expect(box.hit('dropReply', 'account')).toBeUndefined();
    expect([struck, box.struck.get('dropReply')]).toEqual([['a'], 1]);
  });
});
