// The window of accepted timestamps: 60 seconds either way, and each message once.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { ActionWindow } from '../../../../src/embedded/server/hosted/window.ts';

const NOW = 1_000_000;
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('the action window', () => {
  test('a timestamp that is not a number is not admitted', () => {
    expect(new ActionWindow().admits(Number.NaN, NOW)).toBe(false);
  });

  property.prop(
    [fc.array(fc.record({ message: fc.nat({ max: 3 }), age: fc.integer({ min: -80, max: 80 }), pause: fc.nat({ max: 40 }) }))],
    { seed: 20 },
  )('no bytes are ever taken twice, however long ago and however far ahead they were dated', (sends) => {
    const window = new ActionWindow();
    const executed = new Set<string>();
    let now = NOW;
    for (const { message, age, pause } of sends) {
      now += pause;
      const timestamp = NOW + age;
      if (!window.admits(timestamp, now) || !window.isFirst({ signed: bytes(message), timestamp, now })) continue;
      const key = `${message} at ${timestamp}`;
      expect(executed).not.toContain(key);
      executed.add(key);
    }
  });
});
