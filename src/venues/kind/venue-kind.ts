// The interface by which commands know an exchange: its options, the plan of a run, its canceller, its checks. Each exchange is one object of it, in its
// own folder of `venues/`; `program/venues.ts` lists them. No other code compares the names of exchanges.
import type { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Passphrase } from '../../base/keys/passphrase.ts';
import type { Wallet } from '../../base/keys/wallet.ts';
import type { Rng } from '../../base/rng.ts';
import type { Transport } from '../../base/transport/transport.ts';
import type { AccountId, AccountRef } from '../../bot/domain/ids.ts';
import type { FeeRates } from '../../bot/domain/market.ts';
import type { Micros } from '../../bot/domain/numbers.ts';
import type { FeedOptions } from '../../bot/exchange/kit/connect-feed.ts';
import type { AdapterLog, PublicFeed } from '../../bot/exchange/port.ts';
import type { LoadedConfig } from '../../bot/run/core/config.ts';
import type { AccountHolder } from '../../bot/run/core/start-check.ts';
import type { OpenVenue, VenueOptions } from '../../bot/run/core/venue.ts';
import type { AccountCanceller } from '../operate/cancel-all.ts';
import type { DoctorCheck } from '../operate/check.ts';
import type { VenueModule } from './modules/load-venue.ts';

/** The zod library, passed as a parameter so that `--help` does not load it. */
export type Zod = typeof import('zod')['z'];

/** `F` is the exchange's part of facts.json. Without `canceller`, the account is simulated in the run's process, and no real money moves. */
export interface VenueKind<F extends VenueFacts = VenueFacts> {
  /** The name, as in `--exchange NAME`, facts.json and the journal. */
  readonly name: string;
  /** Where its code is, if it is not an exchange of the program itself. */
  readonly module?: VenueModule | undefined;
  /** The description in --help. */
  readonly about?: string | undefined;
  /** False if the exchange ends with the run, so that the run cannot be continued. */
  readonly outlivesRun: boolean;
  /** True if `--streams` is possible. */
  readonly streams?: true;
  /** True if a run records a tape on which it can be replayed. */
  readonly leavesTape?: true;
  /** An example of `--url`, for the hint if it is missing: `https://host`. Absent if the exchange has no address. */
  readonly exampleUrl?: string | undefined;
  /** Returns its address, if `--url` is not given. Rejects with a UserError. */
  address?(this: void): Promise<string>;
  /** Its addresses, of which `--network` chooses one, if `--url` is not given. */
  readonly addresses?: Readonly<Record<'mainnet' | 'testnet', string>> | undefined;
  /** Returns the zod schema of `F`; paths in it are absolute. */
  facts(this: void, zod: Zod): z.ZodObject<{ kind: z.ZodLiteral<string> }>;
  /**
   * Plans where a run trades, from its options. Rejects with a UserError if they contradict each other. Absent if `--exchange` cannot name the exchange.
   */
  plan?(this: void, flags: VenueFlags, context: PlanContext): Promise<VenuePlan>;
  /** Completes the facts of a run from partial ones; undefined if that is impossible. */
  recover(this: void, known: PartialFacts, context: RecoveryContext): F | undefined;
  /** True if a state directory without facts and journal looks like one of its runs. */
  matchesDirectory?(this: void, directory: string, known: PartialFacts): boolean;
  /** Opens the account to cancel its orders. Makes no request before the first call. */
  canceller?(this: void, facts: F, options: CancellerOptions): Promise<AccountCanceller>;
  /** What `kill` prints for a simulated account: if the run's process has ended, and if it is alive. */
  readonly killTexts?: { readonly ended: string; readonly alive: string } | undefined;
  /** The name of the exchange at the address in `facts`; its own by default. */
  exchangeAt?(this: void, facts: F): string;
  /** Makes the checks of `doctor`. */
  runChecks?(this: void, options: DoctorOptions<F>): Promise<readonly DoctorCheck[]>;
  /** Checks a file that `--key` names; by default it must be one that `keys new` makes. */
  checkKey?(this: void, file: string): DoctorCheck | Promise<DoctorCheck>;
  /** Opens the exchange's public data, for a paper run. Sends only reads: a paper run throws for any other request before it is sent. */
  feed?(this: void, options: PublicFeedOptions): Promise<PublicFeed>;
}

export interface PublicFeedOptions extends FeedOptions {
  readonly url: string;
  /** To the address in `url`. */
  readonly transport: Transport;
  /** Returns the transport to another address of the exchange; it is closed with the run. */
  readonly transportTo: (origin: string) => Transport;
}

/** The plan of where a run trades. */
export interface VenuePlan {
  readonly kind: VenueKind;
  /** Parts of the run's name, after the strategy. */
  readonly runName: readonly string[];
  /** Exchange and user, in the form of the journal. */
  readonly holder: AccountHolder & { readonly account?: AccountRef | undefined };
  /** `account` is the journal's; used if the options name none. */
  facts(this: void, account?: AccountRef): VenueFacts;
  open(options: OpenOptions): Promise<OpenVenue>;
}

/** The part of facts.json that says where a run trades. Each kind adds fields; these are common to all. */
export interface VenueFacts {
  readonly kind: string;
  readonly url?: string | undefined;
  /** The user's public key, in base58. */
  readonly user?: string | undefined;
  /** Path of the key file. */
  readonly key?: string | undefined;
  /** Where the code of the exchange is, if it is not one of the program itself. */
  readonly module?: VenueModule | undefined;
}

/** The options of a run that say where it trades. `bot run`, in the layer above, declares them; the compiler compares both where it plans a run. */
export interface VenueFlags {
  readonly exchange: string;
  readonly url?: string;
  readonly network?: 'mainnet' | 'testnet';
  readonly account?: AccountId;
  readonly key?: string;
  /** `bundled` (the default), `remote`, or a file. */
  readonly schema: string;
  /** How the embedded market moves: the name of a regime, or a market file. */
  readonly market?: string;
  readonly paper?: true;
  readonly live?: true;
  /** Assumptions of a paper run, as for a backtest. */
  readonly latency?: string;
  readonly queue?: string;
  readonly deposit?: Micros;
  readonly fees?: FeeRates;
  /** File of a paper run's tape. */
  readonly record?: string;
  /** True if books and account changes also come from a websocket. */
  readonly streams?: true;
}

export interface PlanContext {
  /** The passphrase of a keystore, from the user. */
  readonly passphrase: () => Promise<Passphrase>;
}

/** The parameters of `open`: the options of every connection, and those of the whole run. */
export interface OpenOptions extends VenueOptions {
  readonly seed: string;
  /** The state directory. */
  readonly directory: string;
  readonly config: Pick<LoadedConfig, 'local'>;
  /** Called with unexpected errors of an exchange in this process. */
  readonly onBug: (thrown: unknown) => void;
}

/** The known facts of a run without facts.json: from its journal, and from the options of the command, which take precedence. */
export interface PartialFacts extends Omit<VenueFacts, 'kind'> {
  readonly account?: AccountRef | undefined;
  readonly schema?: string | undefined;
  readonly approvals?: string | undefined;
  readonly of?: string | undefined;
}

export interface RecoveryContext {
  /** Returns the public key of the given key file; undefined if there is none. An unusable file is reported through `report`. */
  readonly userOfKey: () => string | undefined;
  /** Records what could not be read and what is used instead. */
  readonly report: (text: string) => void;
}

export interface CancellerOptions {
  readonly directory: string;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: AdapterLog;
  readonly transport: Transport;
  /** True if the run may have had orders. */
  readonly hasTraded: () => boolean;
  /** 32 random bits, so that nonces differ from the run's, which count up from its start time. */
  readonly firstNonce: number;
  /** Opens the user's key file if the run's session is lost. */
  readonly openKey: (file: string) => Promise<Wallet>;
}

export interface DoctorOptions<F> {
  /** Empty for an exchange without an address. */
  readonly url: string;
  /** Path of the key file that was given. */
  readonly key: string | undefined;
  /** The facts of the named run, if it trades at this exchange. */
  readonly facts: F | undefined;
}

/** The exchanges that the program knows. */
export interface KnownVenues {
  readonly all: readonly VenueKind[];
  /** The default exchange of a run. */
  readonly defaultKind: VenueKind;
  named(name: string): VenueKind | undefined;
  /** Throws if no exchange has this name. */
  of(facts: Pick<VenueFacts, 'kind' | 'module'>): VenueKind;
  /** Returns the kind whose run probably left this state directory. */
  guess(directory: string, known: PartialFacts): VenueKind | undefined;
}
