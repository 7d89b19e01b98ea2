// Times as text, and spans of time: as people write them (250ms, 20s, 5m, 2h, 1d), and as messages show them (250 ms, 3.2 s).
import type { Millis } from '../clock.ts';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const ALL: readonly Unit[] = ['ms', 's', 'm', 'h', 'd'];

type Unit = keyof typeof UNITS;

/**
 * Returns the span in whole milliseconds; undefined if the text is not a span in one of the units. 0s is valid. Which units an option takes:
 * `src/program/values.ts`.
 */
export function durationIn(text: string, units: readonly Unit[] = ALL): Millis | undefined {
  const [, amount, written] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text) ?? [];
  const unit = units.find((known) => known === written);
  const length = unit === undefined ? undefined : UNITS[unit];
  return amount === undefined || length === undefined ? undefined : Math.round(Number(amount) * length);
}

/** Returns a time in UTC, to the millisecond: `2026-01-31T08:00:00.000Z`. */
export const timeText = (time: Millis): string => new Date(time).toISOString();

/** `250 ms`, `3.2 s`; with `largest = 'h'` also `3 min` and `2.5 h`; with 'd' also, from two days on, `2.5 d`. */
export function spanText(span: Millis, largest: 's' | 'h' | 'd' = 's'): string {
  if (largest === 'd' && span >= 2 * UNITS.d) return `${tenths(span / UNITS.d)} d`;
  if (largest !== 's' && span >= UNITS.h) return `${tenths(span / UNITS.h)} h`;
  if (largest !== 's' && span >= UNITS.m) return `${tenths(span / UNITS.m)} min`;
  return span < UNITS.s ? `${Math.round(span)} ms` : `${tenths(span / UNITS.s)} s`;
}

/** Returns a length of time as text for countdowns: `12 s`, `3 min`, `1 h 30 min`. */
export function minutesText(span: Millis): string {
  const minutes = Math.floor(span / UNITS.m);
  if (minutes < 1) return `${Math.floor(span / UNITS.s)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns an age as text, rounded: `45 s` below 90 s, `12 min` below 90 min, `3 h` below 48 h, then `5 d`. */
export function agoText(span: Millis): string {
  const seconds = Math.max(0, Math.round(span / UNITS.s));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3_600 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}

const tenths = (value: number): number => Number(value.toFixed(1));
