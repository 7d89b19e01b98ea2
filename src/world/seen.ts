// What was seen, and since when.
import type { Millis } from '../base/clock.ts';

/** A value, when its request started and when it arrived. Its age counts from the start. */
export interface Seen<T> {
  readonly value: T;
  readonly asked: Millis;
  readonly at: Millis;
}

/** What is wrong, in words for a person. */
export interface Fault {
  readonly reason: string;
  readonly since: Millis;
}
