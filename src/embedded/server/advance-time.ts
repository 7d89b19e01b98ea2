// Advances the time of the embedded exchange with a clock.

import type { Cancel, Clock, Millis } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { STEP } from '../exchange/rules/step.ts';

/** An exchange whose time moves only by calls of `advanceTo`. */
export interface TimedExchange {
  now(): Millis;
  advanceTo(when: Millis): void;
}

export interface RunningTime {
  /** Advances the exchange to the present. Called before each request, so that no answer is older than its request. */
  readonly catchUp: () => void;
  /** The time of the clock by which the exchange stays behind in total, in milliseconds. */
  readonly skipped: () => Millis;
  readonly stop: () => void;
}

export interface AdvanceOptions {
  readonly exchange: TimedExchange;
  readonly clock: Clock;
  /** Simulated seconds per second of the clock. */
  readonly speed: number;
  /** Called after each step that no request caused. */
  readonly onStep?: (() => void) | undefined;
  /** Called with the time of the clock, in milliseconds, by which the exchange stays behind in total, whenever it grows. */
  readonly onSkipped?: ((total: Millis) => void) | undefined;
}

/** Interval of the clock's timers: at speed 1, one step of the exchange. */
const INTERVAL: Millis = STEP;
/** Maximum duration of one call, so that requests do not wait longer. The rest is made up in the next calls of the timer. */
const BUDGET: Millis = 100;
/** Exchange time between two checks of the budget. */
const SLICE: Millis = 1_000;
/**
 * Maximum time of the clock that is made up after the process was too busy. The excess is skipped, because the speed is too high or the machine too slow.
 * The time in which the machine slept is skipped as well. The exchange stays behind by the skipped time, as a real one may.
 */
const MOST_BEHIND: Millis = 60_000;

/** Advances `exchange` by `speed` simulated seconds per second of `clock`, every 100 ms and at every `catchUp`, until stopped. */
export function advanceWithClock(options: AdvanceOptions): RunningTime {
  const { clock, onStep } = options;
  const time = new ExchangeTime(options);
  let cancel: Cancel;
  const schedule = (): void => {
    cancel = clock.at(clock.now() + INTERVAL, () => {
      time.advance();
      onStep?.();
      schedule();
    });
  };
  schedule();
  return {
    catchUp: () => {
      if (!time.isBehind) time.advance(); // requests do not wait while much is made up: the timer does that, with pauses
    },
    skipped: () => time.skipped,
    stop: () => cancel(),
  };
}

class ExchangeTime {
  readonly #options: AdvanceOptions;
  /** The time of the clock at the last call. */
  #last: Millis;
  /** The time that the clock had skipped at the last call. */
  #slept: Millis;
  /** The exchange time that was reached, with fractions. */
  #reached: Millis;
  /** The exchange time that should be reached, with fractions. */
  #due: Millis;
  #skipped: Millis = 0;

  constructor(options: AdvanceOptions) {
    const { exchange, clock, speed } = options;
    assert(Number.isFinite(speed) && speed > 0, `speed ${speed} is not a positive number`);
    this.#options = options;
    [this.#last, this.#slept] = [clock.now(), clock.skipped()];
    this.#reached = exchange.now();
    this.#due = this.#reached;
  }

  /** True if the last call could not reach the present. */
  get isBehind(): boolean {
    return this.#reached < this.#due;
  }

  get skipped(): Millis {
    return this.#skipped;
  }

  advance(): void {
    const { exchange, clock, speed } = this.#options;
    const [now, slept] = [clock.now(), clock.skipped()];
    const passed = Math.max(0, now - this.#last - (slept - this.#slept));
    [this.#last, this.#slept] = [now, slept];
    this.#due += passed * speed;
    this.#skip();
    while (this.#reached < this.#due && clock.now() - now < BUDGET) {
      this.#reached = Math.min(this.#due, this.#reached + SLICE);
      exchange.advanceTo(Math.floor(this.#reached));
    }
  }

  /** Skips the time beyond the maximum that is made up. */
  #skip(): void {
    const { speed, onSkipped } = this.#options;
    const tooMuch = this.#due - this.#reached - MOST_BEHIND * speed;
    if (tooMuch <= 0) return;
    this.#due -= tooMuch;
    this.#skipped += tooMuch / speed;
    onSkipped?.(this.#skipped);
  }
}
