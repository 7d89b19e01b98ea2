// The checks of a strategy on those that ship, and on the first one of the documents: they pass all of them. `check.test.ts` plays `crossover`.
import { check } from 'tickwright/testing';
import { expect, test } from 'vitest';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import carry from '../../../strategies/carry.ts';
import grid from '../../../strategies/grid.ts';
import leanMaker from '../../../strategies/lean-maker.ts';
import pairs from '../../../strategies/pairs.ts';
import trend from '../../../strategies/trend.ts';
import twap from '../../../strategies/twap.ts';
import maker from '../docs/examples/maker.ts';

test.each([grid, leanMaker, twap, pairs, carry, trend, maker] as readonly unknown[] as readonly Strategy<Params>[])(
  '$name',
  async (strategy) => {
    const results = await check(strategy);
    expect(results.filter(({ verdict }) => verdict === 'fail' || verdict === 'skip')).toEqual([]);
    expect(results).toHaveLength(10);
  },
);
