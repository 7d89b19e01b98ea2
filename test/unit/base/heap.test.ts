// A heap pops its items in order, and equal items in the order in which they were pushed.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Heap } from '../../../src/base/collections/heap.ts';

const drained = <T>(heap: Heap<T>): T[] => {
  const values: T[] = [];
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) values.push(next);
  return values;
};

describe('a heap', () => {
  test('is empty at first, and after all items are popped', () => {
    const heap = new Heap<number>((a, b) => a - b);
    expect([heap.size, heap.peek(), heap.pop()]).toEqual([0, undefined, undefined]);
    heap.push(1);
    expect([heap.size, heap.peek(), heap.pop(), heap.size, heap.peek()]).toEqual([1, 1, 1, 0, undefined]);
  });

  test('peeks without removing the item', () => {
    const heap = new Heap<number>((a, b) => a - b);
    for (const value of [3, 1, 2]) heap.push(value);
    expect([heap.peek(), heap.peek(), heap.size]).toEqual([1, 1, 3]);
  });

  test('sorts, and keeps equal items in their order', () => {
    const pushed = fc.array(fc.record({ key: fc.nat({ max: 5 }), tag: fc.nat() }), { maxLength: 60 });
    fc.assert(
      fc.property(pushed, (values) => {
        const heap = new Heap<(typeof values)[number]>((a, b) => a.key - b.key);
        for (const value of values) heap.push(value);
        expect(drained(heap)).toEqual([...values].sort((a, b) => a.key - b.key));
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test('is correct after every push and pop', () => {
    const steps = fc.array(fc.option(fc.nat({ max: 20 })), { maxLength: 100 });
    fc.assert(
      fc.property(steps, (values) => {
        const heap = new Heap<number>((a, b) => a - b);
        let naive: number[] = [];
        for (const value of values) {
          if (value === null) expect(heap.pop()).toBe(naive.shift());
          else {
            heap.push(value);
            naive = [...naive, value].sort((a, b) => a - b);
          }
          expect([heap.size, heap.peek()]).toEqual([naive.length, naive[0]]);
        }
      }),
      { seed: 2, numRuns: 200 },
    );
  });
});
