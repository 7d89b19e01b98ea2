// Spans of time as text.
import type { Millis } from '../base/clock.ts';

/** `250 ms`, `2 s`, `3.2 s`. */
export function spanText(span: Millis): string {
  return span < 1_000 ? `${Math.round(span)} ms` : `${Number((span / 1_000).toFixed(1))} s`;
}
