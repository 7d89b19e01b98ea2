// A value with the times at which it was requested and received.
import type { Millis } from '../../base/clock.ts';
import type { UpdateId } from '../domain/ids.ts';

/** A value that was requested at `asked` and arrived at `at`. Its age counts from the request. */
export interface Seen<T> {
  readonly value: T;
  readonly asked: Millis;
  readonly at: Millis;
}

/** A fault: its text for people, and when it began. */
export interface Fault {
  readonly reason: string;
  readonly since: Millis;
}

/** When an action was sent: by our clock, by the update number of the newest account, and by the exchange's time in seconds. */
export interface SentAt {
  readonly at: Millis;
  readonly account: UpdateId | undefined;
  readonly engine: number | undefined;
}
