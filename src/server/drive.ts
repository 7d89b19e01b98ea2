// Keeps an exchange's time moving with a clock.
import { assert } from '../base/assert.ts';
import type { Cancel, Clock, Millis } from '../base/clock.ts';

/** Anything with a time of its own that moves only when told to. */
export interface Driven {
  now(): Millis;
  advanceTo(when: Millis): void;
}

export interface Drive {
  /** Brings the exchange to the present; called before each request, so that no answer is older than its question. */
  tick(): void;
  stop(): void;
}

const INTERVAL: Millis = 100;
/**
 * The most clock time that one tick makes up for. After a longer pause (a laptop that slept, a speed beyond the machine's) the exchange does not
 * catch up: its time lags behind from then on, as a real engine's may, instead of starving the requests that wait.
 */
const LONGEST_LEAP: Millis = 1_000;

/** Moves `exchange` on by `speed` simulated seconds a second of `clock`, each 100 ms and at every `tick`, until stopped. */
export function drive({ exchange, clock, speed }: { exchange: Driven; clock: Clock; speed: number }): Drive {
  assert(Number.isFinite(speed) && speed > 0, `speed ${speed} is not a positive number`);
  let clockThen = clock.now();
  let engineTime = exchange.now();
  let cancel: Cancel;

  const tick = (): void => {
    const passed = clock.now() - clockThen;
    clockThen += passed;
    engineTime += Math.min(Math.max(0, passed), LONGEST_LEAP) * speed;
    exchange.advanceTo(Math.floor(engineTime));
  };
  const again = (): void => {
    tick();
    wait();
  };
  const wait = (): void => {
    cancel = clock.at(clock.now() + INTERVAL, again);
  };
  wait();
  return { tick, stop: () => cancel() };
}
