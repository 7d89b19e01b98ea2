// The integer units of the engine, branded so that one cannot be used for another. `market.ts` converts decimal prices and sizes to them.
import { AssertionError } from '../../base/errors.ts';

declare const unit: unique symbol;
/** A price in ticks of its market, the smallest step of its price. */
export type Ticks = number & { readonly [unit]: 'ticks' };
/** A size in lots of its market, the smallest step of its size; signed if it is a position. */
export type Lots = number & { readonly [unit]: 'lots' };
/** Money in millionths of the quote token. */
export type Micros = number & { readonly [unit]: 'micros' };

/** A whole number as a price in ticks. Throws an AssertionError for any other number. */
export const ticks = (value: number): Ticks => safe(value) as Ticks;
/** A whole number as a size in lots. Throws an AssertionError for any other number. */
export const lots = (value: number): Lots => safe(value) as Lots;
/** A whole number as money in millionths. Throws an AssertionError for any other number. */
export const micros = (value: number): Micros => safe(value) as Micros;

export const MICROS_PER_UNIT = 1_000_000;

/** Money as a decimal number, for people and strategies; never used in the engine's sums. */
export const toDecimal = (value: Micros): number => value / MICROS_PER_UNIT;
/** The nearest millionth; undefined if the value is not finite or beyond the safe integers. */
export function toMicros(value: number): Micros | undefined {
  const rounded = Math.round(value * MICROS_PER_UNIT);
  return Number.isSafeInteger(rounded) ? micros(rounded) : undefined;
}

const MILLION = 1_000_000;

/** `value × ppm / 10^6`, rounded up or down to an integer; exact while `value` is a safe integer and `ppm` at most 10^6. */
export function mulPpm(value: number, ppm: number, rounding: 'up' | 'down'): number {
  const whole = Math.floor(value / MILLION);
  const rest = (value - whole * MILLION) * ppm;
  const part = rounding === 'up' ? Math.ceil(rest / MILLION) : Math.floor(rest / MILLION);
  return whole * ppm + part;
}

function safe(value: number): number {
  if (!Number.isSafeInteger(value)) throw new AssertionError(`${value} is not a safe integer`); // assert would build its message in every call
  return value === 0 ? 0 : value; // avoids -0, which is written differently from 0
}
