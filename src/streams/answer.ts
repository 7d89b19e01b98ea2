// The result of one request of a poll: a value, or the reason why there is none.
import type { Millis } from '../base/clock.ts';

export interface Seen<T> {
  readonly kind: 'seen';
  readonly value: T;
  /** When the request started; the value is of that moment or later. */
  readonly asked: Millis;
  readonly at: Millis;
}

export interface Failed {
  readonly kind: 'failed';
  /** For a person. */
  readonly reason: string;
  readonly error: unknown;
  readonly asked: Millis;
  readonly at: Millis;
}

export type Answer<T> = Seen<T> | Failed;

/** The failure that an answer is, if its value cannot be used. */
export const failed = ({ asked, at }: Pick<Seen<unknown>, 'asked' | 'at'>, reason: string): Failed => ({
  kind: 'failed',
  reason,
  error: new Error(reason),
  asked,
  at,
});
