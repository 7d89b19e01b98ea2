// How a run ends.
import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { StrategyError } from '../../strategy/decide.ts';

/** How long a stopping run waits for its orders to be proved gone: longer than the life of a signed action. */
export const CLOSING: Millis = 90_000;

export type Ending =
  /** Everything of ours is proved gone. */
  | { readonly kind: 'settled' }
  /** A person was in a hurry, or the exchange could not be asked for too long: `reason` says which. */
  | { readonly kind: 'unsettled'; readonly reason: string }
  /** The strategy's code, or ours, threw, or the record could not be kept. `settled` as above: it closes as any run does. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly settled: boolean };

export const UNPROVED: Ending = { kind: 'unsettled', reason: 'the exchange did not prove every order gone in time' };

/** Why a failed run stops, for a person; what a mistake of ours says is for the log. */
export const reasonOf = (error: unknown): string =>
  error instanceof StrategyError || error instanceof UserError ? error.message : 'a mistake in the program';
