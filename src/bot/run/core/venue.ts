// The options and the result of connecting a run to any exchange.
import type { Clock, Millis } from '../../../base/clock.ts';
import { DiskError } from '../../../base/files/disk.ts';
import { timeText } from '../../../base/text/duration.ts';
import { newSecretKey } from '../../../base/wire/ed25519.ts';
import { compareUpdateIds, type UpdateId } from '../../domain/ids.ts';
import { isStricter } from '../../domain/mode.ts';
import type { Fill } from '../../domain/order.ts';
import type { ConnectOptions } from '../../exchange/kit/connect.ts';
import type { FeedOptions } from '../../exchange/kit/connect-feed.ts';
import type { WriteAhead } from '../../exchange/kit/sending/outgoing.ts';
import type { Admit, Venue } from '../../exchange/port.ts';
import { ratesOf } from '../../risk/guards/rate.ts';
import type { Entry, ForeignOrdersPolicy } from '../state/entries.ts';
import { beginEntry, tradesToResume } from '../state/resume-trades.ts';
import { placedInLastMinute, SendRate } from '../state/send-rate.ts';
import type { State } from '../state/state.ts';
import { type AccountHolder, type StartCheck, startCheck } from './start-check.ts';
import type { Trading } from './trading.ts';

export interface OpenVenue {
  readonly venue: Venue;
  /** Set if the run has its own clock. */
  readonly paced?: Paced | undefined;
  close(): Promise<void>;
}

/** A run whose clock is not the machine's. */
export interface Paced {
  /** The clock of the run, which stands still until `begin`. */
  readonly clock: Clock;
  /** Starts the clock, and stops the run after `spanMs` of its time. Returns the run for display and for stopping. */
  begin(trading: Trading, spanMs: Millis | undefined): Trading;
}

/** Options of every connection of a run, for any exchange. */
export interface VenueOptions extends Omit<FeedOptions, 'retry'> {
  readonly state: State;
  /** The limits of the configuration, as parsed. */
  readonly limits: Readonly<Record<string, unknown>>;
  /** Shows a warning to the user at once, in a live view too; default: to the log. */
  readonly warn?: ((text: string) => void) | undefined;
  /** What the start does with unknown orders in these markets; default `refuse`. */
  readonly foreign?: ForeignOrdersPolicy | undefined;
  /** Throws a UserError if another run on this machine trades the account. */
  readonly claim?: StartCheck['claim'];
}

/** Returns the option `admit`: the checks of a connection before it acts on an account. */
export const startCheckOption = (
  { clock, state, foreign, claim }: Pick<VenueOptions, 'clock' | 'state' | 'foreign' | 'claim'>,
  holder: AccountHolder,
): { admit: Admit } => ({
  admit: startCheck({ clock, state, holder, foreign, claim }),
});

/** The name under which a run remembers that an account with orders has agreed with its own counts. */
const COUNTS_AGREED = 'account-counts';

/** Options of a continued run; `limits` are the defaults if absent. */
type Continuing = Pick<VenueOptions, 'clock' | 'state'> & Partial<Pick<VenueOptions, 'limits'>>;

/** Returns the options with what a process takes over from earlier ones: session key, first nonce, and where to continue reading our trades. */
export function inheritedOptions(options: Continuing) {
  const { clock, state } = options;
  return {
    ...inheritedOptionsWithoutSession(options),
    sessionKey: state.sessionKey(newSecretKey),
    firstNonce: firstNonce(state.earlier, clock.now()),
  };
}

/** Like `inheritedOptions`, for an exchange that needs no session: another process signs, or nothing is signed. */
export function inheritedOptionsWithoutSession({ clock, state, limits = {} }: Continuing): {
  writeAhead: WriteAhead;
  resume: ReturnType<typeof tradesToResume>;
  newestAccount: UpdateId | undefined;
  ownCounts: ConnectOptions['ownCounts'];
  onEarlierTrades: (before: readonly Fill[]) => void;
} {
  const rate = new SendRate({ clock, rates: ratesOf(limits), earlier: placedInLastMinute(state.earlier) });
  const onEarlierTrades = (before: readonly Fill[]): void => state.append?.([beginEntry(before, clock.now())]);
  const newestAccount = newestAccountIn(state.earlier);
  const ownCounts = {
    hasAgreed: state.earlier.some((entry) => entry.kind === 'memory' && entry.name === COUNTS_AGREED),
    onAgreed: () => state.append?.([{ kind: 'memory', at: timeText(clock.now()), name: COUNTS_AGREED, value: true }]),
  };
  return { writeAhead: writeAheadOf(state, rate), resume: tradesToResume(state.earlier), newestAccount, ownCounts, onEarlierTrades };
}

/**
 * Writes actions to the journal and then reads the kill switch. `bot kill` sets the switch and then reads the journal, so either we see the switch,
 * or `bot kill` sees the actions. Each order counts towards the rate limit when it is sent, not when it was decided.
 */
export function writeAheadOf(state: State, rate: Pick<SendRate, 'take'>): WriteAhead {
  return (sealed) => {
    const { killSwitch } = state;
    const acknowledged = killSwitch?.acknowledged ?? 'active';
    try {
      state.recordActions(sealed);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      const reason = `the journal could not be written: ${error.message}`;
      return () => reason;
    }
    return () => {
      if (state.isHeld?.() === false) return 'the lock of the state directory was removed: another process may trade with it';
      const asked = killSwitch?.get().mode ?? acknowledged;
      return isStricter(asked, acknowledged) ? `${asked} was asked for` : rate.take();
    };
  };
}

/** Returns the highest number of an account that was known when an action was sent. */
const newestAccountIn = (earlier: readonly Entry[]): UpdateId | undefined =>
  earlier.reduce<UpdateId | undefined>((newest, entry) => {
    const number = entry.kind === 'sent' ? entry.account : undefined;
    return number !== undefined && (newest === undefined || compareUpdateIds(number, newest) > 0) ? number : newest;
  }, undefined);

/**
 * Returns a nonce from the clock that is after the last one in the journal: the clock may go back, and some nonces are not recorded when the disk is
 * full.
 */
function firstNonce(earlier: readonly Entry[], now: Millis): number {
  const byClock = (Math.floor(now / 1_000) * 256) % NONCES;
  const last = earlier.findLast((entry) => entry.kind === 'sent' && entry.nonce !== undefined);
  if (last?.kind !== 'sent' || last.nonce === undefined) return byClock;
  const ahead = (byClock - last.nonce + NONCES) % NONCES; // nonces wrap around
  return ahead > 0 && ahead < NONCES / 2 ? byClock : (last.nonce + 1) % NONCES;
}

/** Nonces have 32 bits. */
const NONCES = 2 ** 32;
