// What was seen, and since when.
import type { Millis } from '../base/clock.ts';
import type { UpdateId } from '../domain/ids.ts';

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

/** When something was sent: by our clock, by the newest account's number, and by the exchange's own time in seconds. */
export interface Stamp {
  readonly at: Millis;
  readonly account: UpdateId | undefined;
  readonly engine: number | undefined;
}
