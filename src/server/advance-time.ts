// Advances the time of the embedded exchange with a clock.
import { assert } from '../base/assert.ts';
import type { Cancel, Clock, Millis } from '../base/clock.ts';
import { STEP } from '../embedded/rules/step.ts';

/** An exchange whose time moves only by calls of `advanceTo`. */
export interface TimedExchange {
  now(): Millis;
  advanceTo(when: Millis): void;
}

export interface RunningTime {
  /** Advances the exchange to the present. Called before each request, so that no answer is older than its request. */
  readonly catchUp: () => void;
  readonly stop: () => void;
}

export interface AdvanceOptions {
  readonly exchange: TimedExchange;
  readonly clock: Clock;
  /** Simulated seconds per second of the clock. */
  readonly speed: number;
  /** Called after each step that no request caused. */
  readonly onStep?: (() => void) | undefined;
}

/** Interval of the clock's timers: at speed 1, one step of the exchange. */
const INTERVAL: Millis = STEP;
/**
 * Maximum duration of one call of `catchUp`, so that requests do not wait longer. Time that cannot be made up in it (the laptop slept, or the speed is
 * too high) is skipped: the exchange's time stays behind from then on, as that of a real exchange may.
 */
const BUDGET: Millis = 100;
/** Exchange time between two checks of the budget. */
const SLICE: Millis = 1_000;

/** Advances `exchange` by `speed` simulated seconds per second of `clock`, every 100 ms and at every `catchUp`, until stopped. */
export function advanceWithClock({ exchange, clock, speed, onStep }: AdvanceOptions): RunningTime {
  assert(Number.isFinite(speed) && speed > 0, `speed ${speed} is not a positive number`);
  let last = clock.now();
  let reached = exchange.now();
  let cancel: Cancel;

  const catchUp = (): void => {
    const now = clock.now();
    const due = reached + Math.max(0, now - last) * speed;
    last = now;
    while (reached < due && clock.now() - now < BUDGET) {
      reached = Math.min(due, reached + SLICE);
      exchange.advanceTo(Math.floor(reached));
    }
  };
  const schedule = (): void => {
    cancel = clock.at(clock.now() + INTERVAL, () => {
      catchUp();
      onStep?.();
      schedule();
    });
  };
  schedule();
  return { catchUp, stop: () => cancel() };
}
