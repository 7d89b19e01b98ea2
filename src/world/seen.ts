// A value with the times at which it was requested and received.
import type { Millis } from '../base/clock.ts';
import type { UpdateId } from '../domain/ids.ts';

/** A value, when its request started (`asked`) and when it arrived (`at`). Its age counts from the start of the request. */
export interface Seen<T> {
  readonly value: T;
  readonly asked: Millis;
  readonly at: Millis;
}

/** What is wrong, in words for a person, and since when. */
export interface Fault {
  readonly reason: string;
  readonly since: Millis;
}

/** When something was sent: by our clock, by the update number of the newest account, and by the exchange's own time in seconds. */
export interface Stamp {
  readonly at: Millis;
  readonly account: UpdateId | undefined;
  readonly engine: number | undefined;
}
