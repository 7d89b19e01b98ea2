// The memory of a strategy, and values that are refused.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { type Decide, defineStrategy, type Tools } from '../../../src/bot/strategy/contract.ts';
import { deciderOf } from '../../../src/bot/strategy/decide.ts';
import type { Memory } from '../../../src/bot/strategy/memory.ts';
import type { World } from '../../../src/bot/world/world.ts';
import { BTC, calmWorld } from '../world-builder.ts';

function deciding(create: (tools: Tools) => Decide): (world: World) => unknown {
  const strategy = defineStrategy({ name: 'sample', defaults: {}, create: (_, tools) => create(tools) });
  const decide = deciderOf(strategy, {}, { rng: rngFrom('test'), markets: [BTC] });
  return (world) => decide(world, new Set([BTC.id]));
}

const inTurn = (world: World, act: (memory: Memory) => void): unknown =>
  deciding(({ memory }) => () => {
    act(memory);
    return [];
  })(world);

const world = (): World => calmWorld({ bid: 59_999, ask: 60_001 }).world;

describe('memory', () => {
  test('returns a copy of the last value', () => {
    const held = { high: 60_000, levels: [1, 2] };
    const decided: unknown[] = [];
    const decide = deciding(({ memory }) => () => {
      decided.push(memory.get());
      memory.set(held);
      (memory.get() as typeof held).levels.push(3);
      held.high += 1;
      return [];
    });
    const same = world();
    for (let turn = 0; turn < 3; turn++) decide(same);
    expect(decided).toEqual([undefined, { high: 60_000, levels: [1, 2] }, { high: 60_001, levels: [1, 2] }]);
  });

  test('gives its changes once, and only if there are any', () => {
    const is = world();
    inTurn(is, (memory) => memory.set([1]));
    expect(is.memory.takeChanges()).toEqual({ strategy: [1] });
    inTurn(is, (memory) => memory.set([1]));
    expect(is.memory.takeChanges()).toBeUndefined();
  });

  test.each([
    ['NaN', { a: [1, Number.NaN] }, 'the value.a[1] is NaN'],
    ['a function', { a: () => 1 }, 'the value.a is a function'],
    ['undefined', undefined, 'the value is undefined'],
    ['a Map', new Map(), 'the value is an object of a class'],
    ['a big integer', [1n], 'the value[0] is a bigint'],
  ])('refuses %s', (_, value, message) => {
    expect(() => inTurn(world(), (memory) => memory.set(value))).toThrow(`memory: ${message}, which is not JSON`);
  });

  test('refuses a value that contains itself', () => {
    const value: { self?: unknown } = {};
    value.self = value;
    expect(() => inTurn(world(), (memory) => memory.set(value))).toThrow('the value.self contains itself');
  });

  test('keeps 64 KB, and refuses a byte more with a UserError', () => {
    const largest = 'x'.repeat(64 * 1024 - 2);
    inTurn(world(), (memory) => memory.set(largest));
    expect(() => inTurn(world(), (memory) => memory.set(`${largest}x`))).toThrow(UserError);
    expect(() => inTurn(world(), (memory) => memory.set(`${largest}x`))).toThrow('65537 bytes of JSON; at most 65536 are kept');
  });

  test('drops a member that is undefined', () => {
    const is = world();
    inTurn(is, (memory) => memory.set({ high: undefined, low: null }));
    expect(is.memory.get('strategy')).toEqual({ low: null });
  });

  test('is refused outside a turn, with what to do', () => {
    expect(() => deciding(({ memory }) => (memory.get(), () => []))).toThrow('it was used outside a turn');
  });
});
