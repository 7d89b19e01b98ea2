// What the program knows of an exchange before it connects to it. Each exchange is one object of this interface, in a folder of its own; registry.ts
// lists them. Nothing else in the program compares with the name of an exchange.
import type { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Rng } from '../../base/rng.ts';
import type { Transport } from '../../base/transport.ts';
import type { AccountId, AccountRef } from '../../domain/ids.ts';
import type { Micros } from '../../domain/numbers.ts';
import type { FeeRates } from '../../embedded/rules/fees.ts';
import type { Wallet } from '../../exchange/hosted/session/open-session.ts';
import type { Log } from '../../exchange/kit/log.ts';
import type { PublicFeed } from '../../exchange/port.ts';
import type { LoadedConfig } from '../core/config.ts';
import type { Trader } from '../core/start-check.ts';
import type { OpenVenue, VenueOptions } from '../core/venue.ts';
import type { Passphrase } from '../keys/passphrase.ts';
import type { Check } from '../operate/check.ts';
import type { AccountSweeper } from '../operate/sweep.ts';

/** The library of shapes. It is passed in, so that the help of the program does not load it. */
export type Zod = typeof import('zod')['z'];

/** `F` is its part of facts.json. Without `sweeper`, its account is simulated in the process of the run: no real money moves. */
export interface VenueKind<F extends VenueFacts = VenueFacts> {
  /** As in `--exchange NAME`, in facts.json and in the journal. */
  readonly name: string;
  /** What --help adds to the name. */
  readonly about?: string | undefined;
  /** False if the exchange ends with the run: nothing of the run can be continued. */
  readonly outlivesRun: boolean;
  /** True if `--streams` is possible. */
  readonly streams?: true;
  /** True if a run leaves a tape that plays it again. */
  readonly leavesTape?: true;
  /** What `--url` looks like, for the hint if it is missing: `--url https://host`. Absent if it has no address. */
  readonly exampleUrl?: string | undefined;
  /** Shape of `F`; paths in it are absolute. */
  facts(this: void, zod: Zod): z.ZodObject<{ kind: z.ZodLiteral<string> }>;
  /** What a run trades on, from its options. Throws a UserError if they contradict each other. Absent if `--exchange` cannot name it. */
  plan?(this: void, flags: VenueFlags, asks: PlanAsks): Promise<VenuePlan>;
  /** The facts of a run from what is left of them; undefined if that is not enough. */
  recover(this: void, left: FactsLeft, asks: RecoveryAsks): F | undefined;
  /** True if a state directory without facts and journal looks like one of its runs. */
  leftIn?(this: void, directory: string, given: FactsLeft): boolean;
  /** Makes no request before its first call. */
  sweeper?(this: void, facts: F, options: SweeperOptions): Promise<AccountSweeper>;
  /** What `kill` says of a simulated account, once the process of the run has ended or if it has not. */
  readonly killed?: { readonly ended: string; readonly alive: string } | undefined;
  /** The name of the exchange at the address in `facts`; its own by default. */
  apiOf?(this: void, facts: F): string;
  /** The checks of `doctor`. */
  examine?(this: void, asked: Examination<F>): Promise<readonly Check[]>;
  /** Checks a file that `--key` names; by default it must be one that `keys new` makes. */
  examineKey?(this: void, file: string): Check;
  /** Its public data, for a paper run. Sends GET requests only. */
  feed?(this: void, options: FeedOptions): Promise<PublicFeed>;
}

/** What a run trades on. */
export interface VenuePlan {
  readonly kind: VenueKind;
  /** Parts of the run's name, after the strategy. */
  readonly runName: readonly string[];
  /** Exchange and user, in the form of the journal. */
  readonly trader: Trader & { readonly account?: AccountRef | undefined };
  /** `account` is that of the journal; it is used if the options name none. */
  facts(this: void, account?: AccountRef): VenueFacts;
  open(options: OpenOptions): Promise<OpenVenue>;
}

/** The part of facts.json that says where a run trades. Each kind has fields of its own; these are read by commands of all kinds. */
export interface VenueFacts {
  readonly kind: string;
  readonly url?: string | undefined;
  /** The user's public key, in base58. */
  readonly user?: string | undefined;
  /** Path of the key file; never its content. */
  readonly key?: string | undefined;
}

/** The options of a run that say where it trades. */
export interface VenueFlags {
  readonly exchange: string;
  readonly url?: string;
  readonly account?: AccountId;
  readonly key?: string;
  /** `bundled` if it is not given, `remote`, or a file. */
  readonly schema: string;
  /** How the embedded market moves: a name or a file. */
  readonly market?: string;
  readonly paper?: true;
  readonly live?: true;
  /** Of a paper run, as for a backtest. */
  readonly latency?: string;
  readonly queue?: string;
  readonly deposit?: Micros;
  readonly fees?: FeeRates;
  /** File of a paper run's tape. */
  readonly record?: string;
  /** Books and changes of the account come by a websocket too. */
  readonly streams?: true;
}

export interface PlanAsks {
  /** The passphrase of a keystore, from the user. */
  readonly passphrase: () => Promise<Passphrase>;
}

/** What `open` is given: the options of every connection, and those of the whole run. */
export interface OpenOptions extends VenueOptions {
  readonly seed: string;
  /** The state directory. */
  readonly directory: string;
  readonly config: Pick<LoadedConfig, 'local'>;
  /** Called with unexpected errors of an exchange in this process. */
  readonly onBug: (thrown: unknown) => void;
}

/** What is known of a run without usable facts: from its journal, and from the options of the command, which take precedence. */
export interface FactsLeft extends Omit<VenueFacts, 'kind'> {
  readonly account?: AccountRef | undefined;
  readonly schema?: string | undefined;
  readonly approvals?: string | undefined;
  readonly of?: string | undefined;
}

export interface RecoveryAsks {
  /** The public key of the key file that was given; undefined if there is none. A file that cannot be used becomes a doubt. */
  readonly userOfKey: () => string | undefined;
  /** Notes what could not be read and what is used instead. */
  readonly doubt: (text: string) => void;
}

export interface SweeperOptions {
  readonly directory: string;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: Log;
  readonly transport: Transport;
  /** True if the run may have had orders. */
  readonly hasTraded: () => boolean;
  /** 32 random bits, so that nonces differ from the run's, which count up from its start time. */
  readonly firstNonce: number;
  /** Opens the user's key file if the run's session is lost. */
  readonly openKey: (file: string) => Promise<Wallet>;
}

export interface Examination<F> {
  /** Empty for an exchange without an address. */
  readonly url: string;
  /** Path of the key file that was given. */
  readonly key: string | undefined;
  /** Of the run that was named, if it trades at this exchange. */
  readonly facts: F | undefined;
}

export interface FeedOptions extends Pick<VenueOptions, 'clock' | 'rng' | 'polling' | 'markets' | 'log' | 'start'> {
  readonly transport: Transport;
}
