// How a strategy is called, and how its errors are reported.
import { describe, expect, test } from 'vitest';
import { AssertionError, assert, UserError } from '../../../src/base/errors.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import type { Resolution } from '../../../src/bot/domain/candle.ts';
import type { Intent } from '../../../src/bot/domain/intent.ts';
import { type Decide, defineStrategy } from '../../../src/bot/strategy/contract.ts';
import { asStrategyError, deciderOf, StrategyError } from '../../../src/bot/strategy/decide.ts';
import { sma } from '../../../src/bot/strategy/indicators/price.ts';
import { authorPlace } from '../../../src/bot/strategy/loading/place.ts';
import { millisOf } from '../../../src/bot/strategy/params.ts';
import type { View } from '../../../src/bot/strategy/view/view.ts';
import type { World } from '../../../src/bot/world/world.ts';
import { BTC, calmWorld, WorldBuilder } from '../world-builder.ts';

function deciding(decide: Decide) {
  const strategy = defineStrategy({ name: 'sample', defaults: { size: 1 }, create: () => decide });
  const decider = deciderOf(strategy, strategy.defaults, { rng: rngFrom('test'), markets: [BTC] });
  return (world: World) => decider(world, OPEN);
}

const OPEN = new Set([BTC.id]);
const world = () => calmWorld({ bid: 59_999, ask: 60_001 }).world;

function failure(decide: Decide): StrategyError {
  try {
    deciding(decide)(world());
  } catch (error) {
    expect(error).toBeInstanceOf(StrategyError);
    return error as StrategyError;
  }
  throw new Error('it did not fail');
}

/** The message of a UserError, with the place in this file. */
const userMessage = (call: () => unknown) => {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    return (error as UserError).message.replace(/^test\/unit\/strategy\/decide\.test\.ts:\d+:\d+/, 'PLACE');
  }
  throw new Error('it did not fail');
};

describe('deciderOf', () => {
  test('passes parameters and tools to create once, and a view to the function that it returns', () => {
    const calls: unknown[] = [];
    const strategy = defineStrategy({
      name: 'sample',
      defaults: { size: 1 },
      create({ size }, { rng }) {
        calls.push([size, rng.next()]);
        return (view) => [view.market('BTCUSDC').target({ position: size })];
      },
    });
    const decide = deciderOf(strategy, { size: 2 }, { rng: rngFrom('test'), markets: [BTC] });
    expect(decide(world(), OPEN)).toMatchObject([{ kind: 'target', position: 20_000 }]);
    decide(world(), OPEN);
    expect(calls).toEqual([[2, rngFrom('test').next()]]);
  });

  test('returns no intents before the first account', () => {
    const blind = new WorldBuilder().book([[59_999, 1]], [[60_001, 1]]);
    expect(deciding(() => expect.unreachable())(blind.world)).toEqual([]);
  });

  test('names strategy, file and line of an error', () => {
    const error = failure(() => {
      throw new TypeError('no such thing');
    });
    expect(error.message).toMatch(/^strategy sample failed at test\/unit\/strategy\/decide\.test\.ts:\d+:\d+: no such thing$/);
    expect(error.place?.file).toMatch(/decide\.test\.ts$/);
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  test('reports an invalid number where the author wrote it', () => {
    const error = failure((view) => [view.market('BTCUSDC').quote({ bids: [{ price: Number.NaN, size: 1 }] })]);
    expect(error.message).toMatch(/^strategy sample failed at .*decide\.test\.ts:\d+:\d+: BTCUSDC: a price in the bids is NaN/);
  });

  test("reports anything else that is thrown by the strategy's name only", () => {
    expect(failure(() => raise('oh')).message).toBe('strategy sample failed: oh');
  });

  test('names the strategy if create throws', () => {
    const strategy = defineStrategy({ name: 'sample', defaults: {}, create: () => raise(new Error('not today')) });
    expect(() => deciderOf(strategy, {}, { rng: rngFrom('test'), markets: [] })).toThrow(/strategy sample failed.*not today/);
  });

  test('passes user errors and failed assertions of ours unchanged', () => {
    expect(() => deciding((view) => [view.market('DOGE').quote({})])(world())).toThrow(UserError);
    expect(() =>
      deciding(() => {
        assert(false, 'ours');
        return [];
      })(world()),
    ).toThrow(AssertionError);
  });

  test.each([
    [
      'a length of candles',
      (view: View) => void view.market('BTCUSDC').candles('7m' as Resolution),
      /^PLACE: "7m" is not a length of candles/,
    ],
    ['an unknown market', (view: View) => void view.market('DOGE'), /^PLACE: .*"DOGE"/],
    ['an indicator', () => void sma(1.5), /^PLACE: sma: 1.5 is not a whole number of at least 1$/],
    ['a duration', () => void millisOf('7 minutes'), /^PLACE: "7 minutes" is not a duration$/],
    ['an error of the author', () => void raise(new UserError({ code: 'params', message: 'mine' })), /^mine$/],
  ])('says where the author made a mistake that a function of ours reports: %s', (_, mistake, text) => {
    const decide = deciding((view) => {
      mistake(view);
      return [];
    });
    expect(userMessage(() => decide(world()))).toMatch(text);
  });

  test('says where create, inputs, history or every made a mistake', () => {
    for (const part of [
      { create: () => raise(millisOf('soon')) },
      { inputs: () => raise(millisOf('soon')) },
      { history: () => raise(millisOf('soon')) },
      { every: () => raise(millisOf('soon')) },
    ]) {
      const strategy = { name: 'sample', defaults: {}, create: () => () => [], ...part };
      expect(() => deciderOf(strategy, {}, { rng: rngFrom('test'), markets: [] })).toThrow(
        /^test\/unit\/strategy\/decide\.test\.ts:\d+:\d+: "soon" is not a duration$/,
      );
    }
  });

  test('refuses two quotes or targets for one market', () => {
    const error = failure((view) => [view.market('BTCUSDC').quote({}), view.market('BTCUSDC').target({ position: 1 })]);
    expect(error.message).toContain('it returned two intents for BTCUSDC; return one quote or target for each market');
  });

  test.each([
    [undefined, 'it returned undefined; a list of results'],
    [Promise.resolve([]), 'it returned a promise; a list of results'],
    [[undefined], 'it returned a list that contains undefined'],
    [[{ price: 1 }], 'it returned a list that contains an object of another kind'],
    [['buy'], 'it returned a list that contains a string'],
  ])('refuses %o from a strategy', (returned, message) => {
    expect(failure(() => returned as unknown as readonly Intent[]).message).toContain(message);
  });
});

function raise(thrown: unknown): never {
  throw thrown;
}

describe('an uncaught error', () => {
  test("from a global fetch is the strategy's, although its stack names no file", async () => {
    const thrown = await new Promise<unknown>((resolve) => void fetch('http://127.0.0.1:1/').catch(resolve));
    expect(authorPlace(thrown)).toBeUndefined();
    expect(asStrategyError(thrown, 'mine')).toEqual(new StrategyError({ strategy: 'mine', cause: thrown }));
  });

  test('from anywhere else is unchanged', () => {
    const thrown = new Error('no such state');
    thrown.stack = 'Error: no such state\n    at node:internal/timers:454:9';
    expect(asStrategyError(thrown, 'mine')).toBe(thrown);
  });
});
