// From an address and a wallet to a venue: everything that can be wrong with them is found here, before anything is traded.
import { ignoreElements, merge, ReplaySubject, share, takeUntil } from 'rxjs';
import type { Clock, Millis } from '../../base/clock.ts';
import type { Rng } from '../../base/rng.ts';
import type { Transport } from '../../base/transport.ts';
import type { Account } from '../../domain/account.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { Fill } from '../../domain/order.ts';
import { ActionCodec } from '../../wire/codec.ts';
import type { User } from '../../wire/hosted.ts';
import type { ActionSchema } from '../../wire/schema.ts';
import { ED25519, type Signatures, type Signer, toBase58 } from '../../wire/signing.ts';
import type { Log } from '../kit/log.ts';
import { NO_WRITE_AHEAD, type WriteAhead } from '../kit/outgoing.ts';
import { askWith, type Polling } from '../kit/polling.ts';
import { type Again, type StartOptions, startAsking } from '../kit/start-questions.ts';
import { type Admit, LOOKS_AT_START, type Venue } from '../port.ts';
import { AccountMotion } from './account/account-motion.ts';
import { feeRateOf } from './account/fee-rate.ts';
import { OwnTrades, ownEvents } from './account/own-events.ts';
import type { Resumption } from './account/trade-tail.ts';
import { type Owner, ownerOf, userOf } from './account/user.ts';
import { type HostedClient, hostedClient } from './client/client.ts';
import { hintFor } from './connect-errors.ts';
import { HostedGateway } from './gateway.ts';
import { hostedFeed } from './market/feed.ts';
import { type Listing, listingOf } from './market/listing.ts';
import { accountOf } from './market/snapshots.ts';
import { BackDating } from './session/back-dating.ts';
import type { EngineTime } from './session/engine-time.ts';
import { openSession, type Wallet } from './session/open-session.ts';
import { nonceCounter } from './session/seal.ts';
import { Session } from './session/session.ts';
import { firstTime, timesOf } from './session/times.ts';

/** An answer to an action is listened to for so long, though nobody waits for it. */
const LISTEN_FOR: Millis = 30_000;
const SESSION_SECONDS = 86_400;

export interface ConnectOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly rng: Rng;
  /** Lent only while a session is being made. */
  readonly wallet: Wallet;
  /** The user's first unless told. */
  readonly accountId?: AccountId | undefined;
  readonly schema: ActionSchema;
  readonly polling: Polling;
  /** Secret key of the session, 32 bytes; with the same key a restart takes up the session that still lives. */
  readonly sessionKey: Uint8Array;
  /** Ed25519 unless told: no exchange but a simulated one takes another. */
  readonly signatures?: Signatures | undefined;
  /** How long a session is asked to live; a day unless told. The exchange may shorten it. */
  readonly sessionSeconds?: number | undefined;
  readonly log: Log;
  /** 32 bits; must differ from those of a run that ended within the last minutes. */
  readonly firstNonce: number;
  /** Writes down what leaves, before it does; nothing is kept unless told. */
  readonly keep?: WriteAhead | undefined;
  /** Asked before a session is opened, where the exchange knows the user by then. */
  readonly admit?: Admit | undefined;
  /** Where an earlier process of this run left off with our trades. */
  readonly resume?: Resumption | undefined;
  /** Told the newest trades of the account, where no earlier process is resumed: they were made before this run. */
  readonly begins?: ((before: readonly Fill[]) => void) | undefined;
  /** Symbols of the markets to trade. */
  readonly markets: readonly string[];
  /** How the start's questions are asked again; one of the usual patience unless given. */
  readonly again?: Again | undefined;
}

/** Of a start at a hosted exchange. */
export const hostedStart = (options: Pick<StartOptions, 'clock' | 'rng' | 'log' | 'timeoutMs'>): Again =>
  startAsking({ ...options, rng: options.rng.fork('start'), what: 'the exchange', hintFor });

/**
 * Reads the exchange's time, its markets and the user's account, opens a session, and returns the venue to trade at. Each question is asked again for
 * as long as a start may take. Rejects with a UserError where the address, the key, the account or a market is wrong, and where the exchange cannot be
 * reached in that time. The caller closes the transport.
 */
export async function connectHosted(options: ConnectOptions): Promise<Venue> {
  const { clock, rng, log, wallet, keep = NO_WRITE_AHEAD, again = hostedStart({ clock, rng, log }) } = options;
  const client = hostedClient({ transport: options.transport, timeouts: { actionMs: LISTEN_FOR } });
  const codec = new ActionCodec(options.schema);
  const signer = (options.signatures ?? ED25519).signerFrom(options.sessionKey);
  const nextNonce = nonceCounter(options.firstNonce);
  const time = await again(() => firstTime(client, clock));
  const listing = await listingOf({ client, clock, again }, options.markets);
  const lifeSeconds = options.sessionSeconds ?? SESSION_SECONDS;
  const opening = { client, codec, clock, time, wallet, signer, nextNonce, keep, lifeSeconds, log };
  const session = new Session({ clock, rng: rng.fork('session'), time, open: (unwanted) => openSession(opening, unwanted), log });
  try {
    const owner = await enter({ client, session, again, extras: codec.extras, listing }, options);
    const trades = new OwnTrades({ client, clock, time, account: owner.account, markets: listing.directory, resume: options.resume });
    if (options.resume === undefined) {
      const before = trades.tell(await again(() => trades.read())); // what was traded before this run is not its own
      options.begins?.(before);
    }
    const feeRate = await feeRateOf(owner.account, { client, log });
    return venueOf(options, { client, feeRate, codec, time, session, signer, nextNonce, trades, ...owner, ...listing });
  } catch (error) {
    session.close();
    throw error;
  }
}

/** The account is checked before a session is opened, but for a user whom the exchange does not know yet: the session may be what makes it known. */
async function enter(
  { client, session, again, extras, listing }: Entrance & { session: Session; extras: ActionCodec['extras'] },
  { wallet, accountId, admit }: ConnectOptions,
): Promise<Owner> {
  const publicKey = toBase58(wallet.publicKey);
  const ownerIn = (user: User | undefined): Owner => ownerOf(user, { publicKey, wanted: accountId, extras });
  const known = await again(() => userOf(client, publicKey));
  const owner = known === undefined || known.accountIds.length === 0 ? undefined : ownerIn(known);
  if (owner !== undefined) await admitted(owner, { client, again, listing, admit });
  await again(() => session.open());
  if (owner !== undefined) return owner;
  const made = ownerIn(await again(() => userOf(client, publicKey)));
  await admitted(made, { client, again, listing, admit });
  return made;
}

interface Entrance {
  readonly client: HostedClient;
  readonly again: Again;
  readonly listing: Listing;
}

async function admitted({ account }: Owner, { client, again, listing, admit }: Entrance & { admit: Admit | undefined }): Promise<void> {
  if (admit === undefined) return;
  const look = async (): Promise<Account> => accountOf(account, await client.account(account), listing.directory);
  const accounts: Account[] = [];
  while (accounts.length < LOOKS_AT_START) accounts.push(await again(look));
  admit({ account, markets: listing.markets, accounts });
}

interface Parts extends Owner, Listing {
  readonly client: HostedClient;
  readonly codec: ActionCodec;
  readonly time: EngineTime;
  readonly session: Session;
  readonly signer: Signer;
  readonly nextNonce: () => number;
  readonly trades: OwnTrades;
  readonly feeRate: number | undefined;
}

function venueOf({ clock, rng, polling, keep = NO_WRITE_AHEAD, log }: ConnectOptions, parts: Parts): Venue {
  const { client, time, directory } = parts;
  const ask = askWith({ clock, rng: rng.fork('polls'), requestsPerSecond: polling.requestsPerSecond });
  const motion = new AccountMotion(clock);
  const closing = new ReplaySubject<void>(1);
  const times = timesOf({ client, time, ask, everyMs: polling.timeMs }).pipe(takeUntil(closing), share());
  const tools = { clock, client, ask, polling };
  const feed = hostedFeed({ ...parts, ...tools, times, closing, tradedAfter: (moment) => motion.tradedAfter(moment) });
  const own = ownEvents({ ...parts, ...tools, markets: directory, motion });
  const gateway = new HostedGateway({
    ...parts,
    clock,
    closing,
    keep,
    backDating: new BackDating({ ...parts, clock, keep, log }),
    seen: merge(own, times.pipe(ignoreElements())), // it signs with the time that is polled, whether or not the feed is looked at
    executedAfter: (sent) => motion.executedAfter(sent),
  });
  return { feed, gateway };
}
