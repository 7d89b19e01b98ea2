// Values in replies that both APIs write in the same way.
import { assert } from '../../base/assert.ts';
import type { Millis } from '../../base/clock.ts';

/** Returns a time as RFC 3339, in UTC. */
export const timeText = (time: Millis): string => new Date(time).toISOString();

export const orNull = <T, R>(value: T | undefined, write: (value: T) => R): R | null => (value === undefined ? null : write(value));

/** Returns a value that the exchange must have, because the id came from the exchange itself. */
export function requireKnown<T>(value: T | undefined): T {
  assert(value !== undefined, 'the exchange does not know an id of its own');
  return value;
}
