// What a mistyped name most likely meant.
import { describe, expect, test } from 'vitest';
import { nearest, suggestion } from '../../../src/base/text/nearest.ts';

const NAMES = ['grid', 'lean-maker', 'twap'];

describe('nearest', () => {
  test.each([
    ['gird', 'grid'],
    ['GRID', 'grid'],
    ['grd', 'grid'],
    ['leanmaker', 'lean-maker'],
    ['lean_makr', 'lean-maker'],
    ['twapp', 'twap'],
  ])('%s means %s', (typed, meant) => expect(nearest(typed, NAMES)).toBe(meant));

  test.each(['', 'momentum', 'xyz'])('%j means none of them', (typed) => expect(nearest(typed, NAMES)).toBeUndefined());

  test('the first of two that are as near', () => expect(nearest('b', ['a', 'c'])).toBe('a'));
  test('none where there are none', () => expect(nearest('grid', [])).toBeUndefined());
});

describe('suggestion', () => {
  test('asks for the near one', () => expect(suggestion('gird', NAMES)).toBe('did you mean "grid"?'));
  test('or lists what there is', () => expect(suggestion('momentum', NAMES)).toBe('known: grid, lean-maker, twap'));
});
