// The result of a check of an adapter, and what decides which checks apply.
import type { DeclaredCapability } from './fake.ts';

/** What an exchange may have or lack; those that are not declared follow from the adapter. */
export const CAPABILITIES = [
  'perpetual',
  'spot',
  'key',
  'socket',
  'settle',
  'candles',
  'post-only',
  'ioc',
  'reduce-only',
  'expiry',
  'unique-ids',
] as const;

/**
 * `perpetual`, `spot`: the kind of the market. `key`: the adapter has a key file. `socket`: the adapter has `streams`, and the fake `connect`. `settle`,
 * `candles`: the adapter has such a call. The others are those of `DeclaredCapability`.
 */
export type VenueCapability = 'perpetual' | 'spot' | 'key' | 'socket' | 'settle' | 'candles' | DeclaredCapability;

/** The verdict of one check of an adapter. */
export interface VenueCheckResult {
  /** From 1; it never changes its meaning. */
  readonly number: number;
  readonly name: string;
  /** `skip`: the exchange lacks what the check needs. */
  readonly verdict: 'pass' | 'fail' | 'skip';
  /** What was found, in one line; of a check that was skipped, what it needs. */
  readonly reason: string;
  /** The loss that the check prevents. */
  readonly prevents: string;
}

/** Which checks of an adapter are made, and what is called meanwhile. */
export interface VenueCheckOptions {
  /** The checks to make, by number or name. Default: all. */
  readonly only?: readonly (number | string)[] | undefined;
  /** The same seed gives the same result. Default `check`. */
  readonly seed?: string | undefined;
  /** Called before the first check with what the exchange has. */
  readonly onCapabilities?: ((has: ReadonlySet<VenueCapability>) => void) | undefined;
  /** Called before each check. */
  readonly onStart?: ((name: string, share: number) => void) | undefined;
  /** Called with each verdict. */
  readonly onResult?: ((result: VenueCheckResult) => void) | undefined;
}
