// The exchange's time follows a clock at a given speed, makes up the time of a busy machine, and skips what is too much.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { advanceWithClock } from '../../../src/embedded/server/advance-time.ts';

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

/** An exchange that needs 30 ms for each step, on a clock that the test sets. */
function slowExchange(speed = 1) {
  const time = { now: 0, slept: 0 };
  const quick = exchangeAt(START);
  const exchange = {
    now: () => quick.now() - START,
    advanceTo(when: number) {
      time.now += 30;
      quick.advanceTo(when);
    },
  };
  let timer: (() => void) | undefined;
  const at = (_: number, run: () => void) => {
    timer = run;
    return () => undefined;
  };
  const skipped: number[] = [];
  const running = advanceWithClock({
    exchange: { ...exchange, now: () => quick.now() },
    clock: { now: () => time.now, at, skipped: () => time.slept },
    speed,
    onSkipped: (total) => skipped.push(Math.round(total)),
  });
  return { time, exchange, catchUp: running.catchUp, inAll: running.skipped, tick: () => timer?.(), skipped };
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

  test('after the process was busy it makes up the time in parts of 100 ms, in which requests do not wait', () => {
    const { time, exchange, catchUp, tick, skipped } = slowExchange();
    time.now = 20_000;
    catchUp();
    expect([exchange.now(), time.now]).toEqual([4_000, 20_120]);
    catchUp();
    expect([exchange.now(), time.now]).toEqual([4_000, 20_120]); // behind: the timer makes it up
    for (let count = 0; count < 6; count++) tick();
    expect(exchange.now()).toBeGreaterThan(20_000);
    expect(time.now - exchange.now()).toBeLessThanOrEqual(30 * 4);
    expect(skipped).toEqual([]);
  });

  test('more than a minute is skipped and reported, and so is, silently, the time in which the machine slept', () => {
    const { time, exchange, tick, skipped, inAll } = slowExchange();
    expect(inAll()).toBe(0);
    time.now = 100_000;
    tick();
    expect(skipped).toEqual([40_000]);
    expect(inAll()).toBe(40_000);
    for (let count = 0; count < 30; count++) tick();
    expect(time.now - exchange.now()).toBeGreaterThanOrEqual(40_000);
    expect(time.now - exchange.now()).toBeLessThanOrEqual(40_120);
    [time.now, time.slept] = [time.now + 3_600_000, 3_600_000];
    tick();
    expect(time.now - exchange.now()).toBeGreaterThanOrEqual(3_640_000);
    expect(skipped).toEqual([40_000]);
  });
});
