// The exchange's time follows a clock at a given speed, and skips time that it cannot make up.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { advanceWithClock } from '../../../src/server/advance-time.ts';

const START = 1_700_000_000_000;

function exchangeAt(now: number) {
  return {
    now: () => now,
    advanceTo(when: number) {
      if (when < now) throw new Error(`back from ${now} to ${when}`);
      now = when;
    },
  };
}

describe('advancing time', () => {
  test.each([1, 0.5, 60])('at speed %d a second of the clock is that many of the exchange', (speed) => {
    const clock = new VirtualClock(5_000);
    const exchange = exchangeAt(START);
    advanceWithClock({ exchange, clock, speed });
    clock.advanceTo(15_000);
    expect(exchange.now()).toBe(START + 10_000 * speed);
  });

  test('catchUp brings it to the present between two timers', () => {
    const clock = new VirtualClock(0);
    const exchange = exchangeAt(START);
    const { catchUp } = advanceWithClock({ exchange, clock, speed: 2 });
    clock.advanceTo(30);
    expect(exchange.now()).toBe(START);
    catchUp();
    expect(exchange.now()).toBe(START + 60);
  });

  test('after stop no timer moves it', () => {
    const clock = new VirtualClock(0);
    const exchange = exchangeAt(START);
    const { stop } = advanceWithClock({ exchange, clock, speed: 1 });
    clock.advanceTo(500);
    stop();
    clock.advanceTo(5_000);
    expect(exchange.now()).toBe(START + 500);
  });

  test('it does not go back with a clock that is set back', () => {
    let now = 1_000;
    const exchange = exchangeAt(START);
    const { catchUp } = advanceWithClock({ exchange, clock: { now: () => now, at: () => () => undefined, skipped: () => 0 }, speed: 3 });
    for (now of [2_000, 500, 600]) catchUp();
    expect(exchange.now()).toBe(START + 3_300);
  });

  test('it skips time that it cannot make up within 100 ms, and continues from there', () => {
    let now = 0;
    const quick = exchangeAt(START);
    const slow = {
      now: () => quick.now(),
      advanceTo(when: number) {
        now += 30;
        quick.advanceTo(when);
      },
    };
    const { catchUp } = advanceWithClock({
      exchange: slow,
      clock: { now: () => now, at: () => () => undefined, skipped: () => 0 },
      speed: 1,
    });
    now = 3_600_000;
    catchUp();
    expect(slow.now()).toBe(START + 4_000);
    catchUp();
    expect(slow.now()).toBe(START + 4_120);
  });
});
