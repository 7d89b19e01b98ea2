// What a run needs to open a venue, whichever exchange it trades on, and what it gets.
import type { Clock } from '../base/clock.ts';
import type { Rng } from '../base/rng.ts';
import type { Log } from '../exchange/log.ts';
import type { Polling } from '../exchange/polling.ts';
import type { Venue } from '../exchange/port.ts';
import { tradesToResume } from '../report/history.ts';
import { newSecretKey } from '../wire/signing.ts';
import type { State } from './state.ts';

export interface OpenVenue {
  readonly venue: Venue;
  close(): Promise<void>;
}

/** What every kind of run brings along, whichever exchange it trades on. */
export interface VenueOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly polling: Polling;
  /** Symbols of the markets to trade. */
  readonly markets: readonly string[];
  readonly state: State;
  readonly log: Log;
}

/** What the processes of one run hand on: the session's key, a first nonce that differs from the last ones, and where our trades were left off. */
export function continued({ clock, state }: Pick<VenueOptions, 'clock' | 'state'>) {
  const firstNonce = (Math.floor(clock.now() / 1000) * 256) % 2 ** 32;
  return { sessionKey: state.sessionKey(newSecretKey), firstNonce, resume: tradesToResume(state.earlier) };
}
