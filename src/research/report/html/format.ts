// Formats numbers, times and durations for the page. All times are UTC.
import type { Millis } from '../../../base/clock.ts';

const MINUS = '−';
const grouped = (places: number) => new Intl.NumberFormat('en-US', { minimumFractionDigits: places, maximumFractionDigits: places });
const [WHOLE, CENTS, FINE] = [grouped(0), grouped(2), grouped(4)];

const withMinus = (text: string): string => text.replace('-', MINUS);
const isZeroText = (text: string): boolean => !/[1-9]/.test(text);

export const count = (value: number): string => withMinus(WHOLE.format(value));

/** Formats with two decimals; four below 1. */
export function money(value: number): string {
  const text = (Math.abs(value) >= 1 || value === 0 ? CENTS : FINE).format(value);
  return isZeroText(text) ? '0.00' : withMinus(text);
}

/** Formats an amount of money with its sign. */
export const gain = (value: number): string => (value > 0 ? `+${money(value)}` : money(value)).replace('+0.00', '0.00');

export const ratio = (value: number): string => withMinus(CENTS.format(value));
export const percent = (fraction: number): string =>
  `${withMinus((fraction !== 0 && Math.abs(fraction) < 0.01 ? FINE : CENTS).format(fraction * 100))} %`;
/** A probability: never shown as certain. */
export const share = (fraction: number): string => (fraction > 0.9999 ? '> 99.99 %' : fraction < 0.0001 ? '< 0.01 %' : percent(fraction));
export const bps = (value: number): string => (value > 0 ? `+${CENTS.format(value)}` : withMinus(CENTS.format(value)));

/** `2026-01-05 12:00:00.000`. */
export const instant = (at: Millis | string): string => new Date(at).toISOString().replace('T', ' ').replace('Z', '');
export const second = (at: Millis | string): string => instant(at).slice(0, 19);

const SPANS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** The two largest units: `2 h 30 min`. */
export function span(length: Millis): string {
  const start = SPANS.findIndex(([, size]) => length >= size);
  if (start === -1) return `${Math.round(length)} ms`;
  let rest = length;
  const parts = SPANS.slice(start, start + 2).map(([unit, size]) => {
    const whole = Math.floor(rest / size);
    rest -= whole * size;
    return whole === 0 ? '' : `${whole} ${unit}`;
  });
  return parts.filter(Boolean).join(' ');
}
