// Client ids of the local API and the numbers by which the exchange knows them.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { ClientIds } from '../../../src/embedded/server/client-ids.ts';

const U64 = 2n ** 64n;

describe('client ids', () => {
  test.each(['0', '7', '9007199254740993', '18446744073709551615'])('%s is itself', (text) => {
    expect(new ClientIds().registeredNumberOf(text)).toBe(text);
  });

  property.prop([fc.string({ minLength: 1 })], { seed: 3, numRuns: 300 })('any text is one u64, and comes back', (text) => {
    const ids = new ClientIds();
    const number = ids.registeredNumberOf(text);
    expect(BigInt(number)).toBeLessThan(U64);
    expect(ids.textOf(number)).toBe(text);
    expect(new ClientIds().numberOf(text)).toBe(number);
  });

  test('a number from the hosted API is shown as it is', () => {
    expect(new ClientIds().textOf('12345')).toBe('12345');
  });

  test('the newest ten thousand are remembered', () => {
    const ids = new ClientIds();
    const first = ids.registeredNumberOf('first');
    const second = ids.registeredNumberOf('second');
    for (let count = 0; count < 9_998; count++) ids.registeredNumberOf(`text ${count}`);
    expect([ids.textOf(first), ids.textOf(second)]).toEqual(['first', 'second']);
    ids.registeredNumberOf('first');
    ids.registeredNumberOf('one more');
    expect([ids.textOf(first), ids.textOf(second)]).toEqual(['first', second]);
  });
});
