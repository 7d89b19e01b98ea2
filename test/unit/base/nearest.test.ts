// The most likely meaning of a misspelled name.
import { describe, expect, test } from 'vitest';
import { nearest, suggestion } from '../../../src/base/text/phrases.ts';

const NAMES = ['grid', 'lean-maker', 'twap'];

describe('nearest', () => {
  test.each([
    ['gird', 'grid'],
    ['GRID', 'grid'],
    ['grd', 'grid'],
    ['leanmaker', 'lean-maker'],
    ['lean_makr', 'lean-maker'],
    ['twapp', 'twap'],
  ])('%s is nearest to %s', (typed, meant) => expect(nearest(typed, NAMES)).toBe(meant));

  test.each(['', 'momentum', 'xyz'])('nothing is near to %j', (typed) => expect(nearest(typed, NAMES)).toBeUndefined());

  test('returns the first of two that are equally near', () => expect(nearest('b', ['a', 'c'])).toBe('a'));
  test('returns undefined for an empty list', () => expect(nearest('grid', [])).toBeUndefined());
});

describe('suggestion', () => {
  test('suggests the nearest name', () => expect(suggestion('gird', NAMES)).toBe('did you mean "grid"?'));
  test('lists the names if none is near', () => expect(suggestion('momentum', NAMES)).toBe('known: grid, lean-maker, twap'));
});
