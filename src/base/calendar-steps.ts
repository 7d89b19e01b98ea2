// The steps of a span on the calendar of UTC: days from midnight to midnight, whole hours, minutes. Every series of returns uses these steps.
import type { Millis } from './clock.ts';

/**
 * Returns the ends of the steps in a span, in order of time; the last one is the end of the span. A step at either end is shorter if the span begins or
 * ends within it, so the steps cover the whole span. Empty if the span is. `stepMs`: a divisor of a day, or a day.
 */
export function stepEnds({ from, to }: { readonly from: Millis; readonly to: Millis }, stepMs: Millis): readonly Millis[] {
  const ends: Millis[] = [];
  for (let end = stepStart(from, stepMs) + stepMs; end < to; end += stepMs) ends.push(end);
  return to > from ? [...ends, to] : ends;
}

/** Returns the beginning of the step of the calendar that contains the time. */
export const stepStart = (at: Millis, stepMs: Millis): Millis => Math.floor(at / stepMs) * stepMs;
