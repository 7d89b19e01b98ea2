// Spans of time as people write them: 250ms, 20s, 5m, 2h, 1d.
import type { Millis } from '../clock.ts';

const UNITS: Readonly<Record<string, Millis>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the span in whole milliseconds; undefined if the text is no such span. 0s is one. */
export function durationIn(text: string): Millis | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  const length = unit === undefined ? undefined : UNITS[unit];
  return amount === undefined || length === undefined ? undefined : Math.round(Number(amount) * length);
}
