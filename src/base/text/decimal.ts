// Exact decimals at the edges: text and numbers in, scaled integers out. Not used for each market event.
import { Decimal as DecimalLibrary } from 'decimal.js';

const Exact = DecimalLibrary.clone({ precision: 60, rounding: DecimalLibrary.ROUND_DOWN });

export type Rounding = 'down' | 'up' | 'exact';

const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;

/** True for `12`, `-0.5`; false for `0,01`, `1e5`, `NaN`, ` 1`, `0x10`, `1_000`. */
export const isDecimalText = (text: string): boolean => PLAIN_DECIMAL.test(text);

/** `value × 10^decimals` as an integer; undefined if rounding is `exact` and the value is off the step, or if it is not finite. */
export function scale(value: number | string, decimals: number, rounding: Rounding): bigint | undefined {
  if (typeof value === 'string' ? !PLAIN_DECIMAL.test(value) : !Number.isFinite(value)) return undefined;
  const onStep = typeof value === 'string' ? shifted(value, decimals) : undefined;
  if (onStep !== undefined) return onStep;
  const scaled = new Exact(value).times(new Exact(10).pow(decimals));
  if (rounding === 'exact' && !scaled.isInteger()) return undefined;
  return BigInt((rounding === 'up' ? scaled.ceil() : scaled.floor()).toFixed(0));
}

/** The integer of a plain decimal with at most that many places, found without arithmetic; undefined if it has more. */
function shifted(text: string, decimals: number): bigint | undefined {
  const point = text.indexOf('.');
  const places = point === -1 ? 0 : text.length - point - 1;
  return places > decimals ? undefined : BigInt(text.replace('.', '') + '0'.repeat(decimals - places));
}

/** A safe integer of 10^-decimals as plain decimal text: `unscale(12_050, 3)` is `12.050`. */
export function unscale(value: number | bigint, decimals: number): string {
  const digits = (value < 0 ? -value : value).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${value < 0 ? '-' : ''}${digits.slice(0, point)}${decimals === 0 ? '' : `.${digits.slice(point)}`}`;
}
