// Exact decimals at input and output: text and numbers become scaled integers, and back. Too slow for each market event.
import { Decimal as DecimalLibrary } from 'decimal.js';

const Exact = DecimalLibrary.clone({ precision: 60, rounding: DecimalLibrary.ROUND_DOWN });

/** `down`: toward minus infinity; `up`: toward plus infinity; `exact`: undefined instead of a rounded result. */
export type Rounding = 'down' | 'up' | 'exact';

const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;

/** True for `12`, `-0.5`; false for `0,01`, `1e5`, `NaN`, ` 1`, `0x10`, `1_000`. */
export const isDecimalText = (text: string): boolean => PLAIN_DECIMAL.test(text);

/**
 * Returns `value × 10^decimals` as an integer. Undefined if the value is not finite, if it is a string that is no plain decimal, or if rounding is
 * `exact` and the result is no integer.
 */
export function scale(value: number | string, decimals: number, rounding: Rounding): bigint | undefined {
  if (typeof value === 'string' ? !PLAIN_DECIMAL.test(value) : !Number.isFinite(value)) return undefined;
  const exact = typeof value === 'string' ? shifted(value, decimals) : undefined;
  if (exact !== undefined) return exact;
  const scaled = new Exact(value).times(new Exact(10).pow(decimals));
  if (rounding === 'exact' && !scaled.isInteger()) return undefined;
  return BigInt((rounding === 'up' ? scaled.ceil() : scaled.floor()).toFixed(0));
}

/** Does what `scale` does for a plain decimal, by moving the point: `shifted('12.05', 3)` is 12050. Undefined if it has more places than `decimals`. */
function shifted(text: string, decimals: number): bigint | undefined {
  const point = text.indexOf('.');
  const places = point === -1 ? 0 : text.length - point - 1;
  return places > decimals ? undefined : BigInt(text.replace('.', '') + '0'.repeat(decimals - places));
}

/** Returns value × 10^-decimals as plain decimal text: `unscale(12_050, 3)` is `12.050`. A number must be a safe integer. */
export function unscale(value: number | bigint, decimals: number): string {
  const digits = (value < 0 ? -value : value).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${value < 0 ? '-' : ''}${digits.slice(0, point)}${decimals === 0 ? '' : `.${digits.slice(point)}`}`;
}
