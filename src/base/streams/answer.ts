// The result of one request of a poll: a value or a failure.
import type { Millis } from '../clock.ts';

export interface SeenAnswer<T> {
  readonly kind: 'seen';
  readonly value: T;
  /** When the request started; the value is not older than this. */
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

export type Answer<T> = SeenAnswer<T> | Failed;

/** Turns an answer with an unusable value into a failure. */
export const failed = ({ asked, at }: Pick<SeenAnswer<unknown>, 'asked' | 'at'>, reason: string): Failed => ({
  kind: 'failed',
  reason,
  error: new Error(reason),
  asked,
  at,
});
