// Spans of time as people write them: 250ms, 20s, 5m, 2h, 1d.
import type { Millis } from '../clock.ts';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const ALL: readonly Unit[] = ['ms', 's', 'm', 'h', 'd'];

type Unit = keyof typeof UNITS;

/** Returns the span in whole milliseconds; undefined if the text is no such span, or in none of the units. 0s is a span. */
export function durationIn(text: string, units: readonly Unit[] = ALL): Millis | undefined {
  const [, amount, written] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text) ?? [];
  const unit = units.find((known) => known === written);
  const length = unit === undefined ? undefined : UNITS[unit];
  return amount === undefined || length === undefined ? undefined : Math.round(Number(amount) * length);
}
