// Spans of time by their names, in milliseconds.
import type { Millis } from './clock.ts';

export const SECOND: Millis = 1_000;
export const MINUTE: Millis = 60_000;
export const HOUR: Millis = 3_600_000;
export const DAY: Millis = 86_400_000;
