// Replacing a strategy's code between two turns.
import { expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import type { Decide } from '../../../src/bot/strategy/contract.ts';
import { type Decider, deciderOf } from '../../../src/bot/strategy/decide.ts';
import { type Replacement, replaceable } from '../../../src/bot/strategy/loading/replaceable.ts';
import { calmWorld } from '../world-builder.ts';

const OPEN: ReadonlySet<never> = new Set();
const { world } = calmWorld({ bid: 59_999, ask: 60_001 });

const deciderWith = (decide: Decide, memory?: unknown): Decider =>
  deciderOf(
    {
      name: 'mine',
      defaults: { market: 'BTCUSDC' },
      create: (_, tools) => (view) => {
        if (memory !== undefined) tools.memory.set(memory);
        return decide(view);
      },
    },
    { market: 'BTCUSDC' },
    { rng: rngFrom('test'), markets: [...world.markets.values()] },
  );

const wanting = (position: number, memory?: unknown): Decider =>
  deciderWith((view) => [view.market('BTCUSDC').target({ position, limit: 1 })], memory);

const replacement = (decide: Decider): Replacement => ({
  decide,
  replaced: (log) => log.info('replaced'),
  refused: (log, error) => log.warn(String(error)),
});

const positionsOf = (decide: Decider) => decide(world, OPEN).map((intent) => (intent.kind === 'target' ? intent.position : undefined));

test('takes effect in the next turn, and is logged', () => {
  const { decide, replace } = replaceable(wanting(1));
  expect([positionsOf(decide), decide.takeLogs?.()]).toEqual([[10_000], undefined]);
  replace(replacement(wanting(2)));
  expect([positionsOf(decide), decide.takeLogs?.()]).toEqual([[20_000], [{ level: 'info', text: 'replaced' }]]);
  expect(positionsOf(decide)).toEqual([20_000]);
});

test('is refused if its first decision throws, and leaves the memory unchanged', () => {
  const { decide, replace } = replaceable(wanting(1, 'old'));
  positionsOf(decide);
  const broken = deciderWith(() => {
    throw new Error('no luck');
  }, 'new');
  replace(replacement(broken));
  expect(positionsOf(decide)).toEqual([10_000]);
  expect(decide.takeLogs?.()).toEqual([{ level: 'warn', text: expect.stringContaining('no luck') }]);
  expect(world.memory.get('strategy')).toBe('old');
});
