// Small tools: a ring of the newest values, recently used keys, cached values, assertions, errors for users.
import { describe, expect, test } from 'vitest';
import { memoizeLast, Recent, Ring } from '../../../src/base/collections/recent.ts';
import { TransientMap } from '../../../src/base/collections/transient-map.ts';
import { AssertionError, assert, messageOf, type Place, placeText, UserError, unreachable } from '../../../src/base/errors.ts';
import { rngFrom } from '../../../src/base/rng.ts';

describe('a ring', () => {
  test('keeps the newest values, oldest first', () => {
    const ring = new Ring<number>(3);
    const held = [1, 2, 3, 4, 5].map((value) => {
      ring.push(value);
      return ring.values();
    });
    expect(held).toEqual([[1], [1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5]]);
  });
});

describe('a map of entries that come and go', () => {
  test('behaves like a Map, in its order, however often entries are replaced', () => {
    const rng = rngFrom('transient');
    const [map, expected] = [new TransientMap<number, number>(), new Map<number, number>()];
    for (let step = 0; step < 2_000; step++) {
      const key = rng.below(40);
      if (rng.below(2) === 0) {
        map.set(key, step);
        expected.set(key, step);
      } else expect(map.delete(key)).toBe(expected.delete(key));
      if (step % 500 === 499) {
        map.clear();
        expected.clear();
      }
      expect([...map]).toEqual([...expected]);
      expect([map.size, map.has(key), map.get(key)]).toEqual([expected.size, expected.has(key), expected.get(key)]);
    }
  });

  test('allows entries to be deleted during iteration', () => {
    const map = new TransientMap(Array.from({ length: 100 }, (_, key) => [key, key] as const));
    for (const [key] of map) if (key % 3 !== 0) map.delete(key);
    map.set(100, 100);
    expect([...map.keys()]).toEqual([...Array.from({ length: 34 }, (_, index) => 3 * index), 100]);
    expect([...map.values()].at(-1)).toBe(100);
  });
});

const known = (recent: Recent<number, string>) => [1, 2, 3, 4, 5].filter((key) => recent.get(key) !== undefined);

describe('a value computed from an object', () => {
  test('is computed once per object, and again if the computation threw', () => {
    let made = 0;
    const read = memoizeLast(({ from }: { from: number }) => {
      if (++made === 3) throw new Error('not this time');
      return from * 10;
    });
    const [one, two] = [{ from: 1 }, { from: 2 }];
    expect([read(one), read(one), read(two)]).toEqual([10, 10, 20]);
    expect(() => read(one)).toThrow('not this time');
    expect([read(one), made]).toEqual([10, 4]);
  });
});

describe('recently used keys', () => {
  test('are listed oldest first, each once', () => {
    const recent = new Recent<number, string>(3);
    for (const key of [1, 2, 3, 4, 1]) recent.set(key, `${key}`);
    expect([...recent.values()]).toEqual(['2', '3', '4', '1']);
  });

  test('are kept until twice as many newer ones have come', () => {
    const recent = new Recent<number, string>(2);
    const after = [1, 2, 3, 4, 5].map((key) => {
      recent.set(key, `${key}`);
      return known(recent);
    });
    expect(after).toEqual([[1], [1, 2], [1, 2, 3], [3, 4], [3, 4, 5]]);
  });

  test('are kept longer if they are used again, with their newest value', () => {
    const recent = new Recent<number, string>(2);
    for (const key of [1, 2, 3, 1, 4]) recent.set(key, `${key}`);
    expect(known(recent)).toEqual([1, 3, 4]);
    recent.set(1, 'other');
    expect(recent.get(1)).toBe('other');
  });

  test('are removed by take', () => {
    const recent = new Recent<number, string>(2);
    for (const key of [1, 2, 3]) recent.set(key, `${key}`);
    recent.delete(1);
    recent.delete(3);
    expect([known(recent), recent.has(2), recent.has(1)]).toEqual([[2], true, false]);
  });
});

describe('an assertion', () => {
  test('throws if its condition is false', () => {
    assert(1, 'one');
    expect(() => assert(0, 'nothing')).toThrow(new AssertionError('nothing'));
  });

  test('names the unexpected value', () => {
    expect(() => unreachable({ kind: 'foreign' } as never)).toThrow('unreachable: {"kind":"foreign"}');
  });
});

const at = (place: Place): string => new UserError({ code: 'config', message: 'wrong', place }).message;

describe("a user's error", () => {
  test('reports the place, as far as it is known', () => {
    expect(at({ file: 'a.yaml', line: 7, column: 9 })).toBe('a.yaml:7:9: wrong');
    expect(at({ file: 'a.yaml', line: 7 })).toBe('a.yaml:7: wrong');
    expect(at({ file: 'a.yaml' })).toBe('a.yaml: wrong');
    expect(new UserError({ code: 'config', message: 'wrong' }).message).toBe('wrong');
    expect(placeText({ file: 'a.yaml', line: 1 })).toBe('a.yaml:1');
  });

  test('anything that is thrown gets a message', () => {
    expect([messageOf(new Error('broken')), messageOf('text'), messageOf(undefined)]).toEqual(['broken', 'text', 'undefined']);
  });
});
