import { testTools } from 'tickwright/testing';
import { expect, test } from 'vitest';
import { calmWorld } from '../../world-builder.ts';
import fade from './fade.ts';

test('it sells a jump, at most two basis points below the best bid', () => {
  const decide = fade.create(fade.defaults, testTools());
  const world = calmWorld({ bid: 59_999, ask: 60_001 });
  expect(decide(world.view())).toEqual([]);
  world.after(1_000).book([[60_099, 1]], [[60_101, 1]]);
  expect(decide(world.view())).toEqual([{ kind: 'target', market: 0, position: -166, limit: 600_870 }]);
});
