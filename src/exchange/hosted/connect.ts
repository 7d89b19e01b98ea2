// Connects to the hosted exchange and makes a venue from an address and a wallet. Checks both first, before anything is traded.
// Files: `gateway.ts` sends actions, `outcome.ts` and `echo.ts` read the replies, `client/` makes the HTTP requests, `session/` opens and renews the
// session and signs, `account/` polls the account and our trades, `market/` polls the market data, `connect-errors.ts` explains failures.

import { ignoreElements, merge, ReplaySubject, share, takeUntil } from 'rxjs';
import type { Millis } from '../../base/clock.ts';
import type { Transport } from '../../base/transport.ts';
import type { Account } from '../../domain/account.ts';
import type { AccountId } from '../../domain/ids.ts';
import { ActionCodec } from '../../wire/codec.ts';
import { ED25519, type Signatures, type Signer, toBase58 } from '../../wire/ed25519.ts';
import type { User } from '../../wire/json/hosted.ts';
import type { ActionSchema } from '../../wire/schema/schema.ts';
import type { VenueOptions } from '../kit/connect.ts';
import { NO_WRITE_AHEAD } from '../kit/sending/outgoing.ts';
import { admitAccount, skipEarlierTrades } from '../kit/start-reads.ts';
import { type Retry, type StartOptions, startRetries } from '../kit/start-retries.ts';
import { askWith } from '../kit/streams/polling.ts';
import type { Admit, Venue } from '../port.ts';
import { accountOf } from './account/account-snapshot.ts';
import { type AccountFees, feesOf } from './account/fee-rate.ts';
import { OwnTrades, ownEvents } from './account/own-events.ts';
import { StuckAccount } from './account/stuck-account.ts';
import { type Owner, ownerOf, userOf } from './account/user.ts';
import { type HostedClient, hostedClient } from './client/client.ts';
import { hintFor } from './connect-errors.ts';
import { HostedGateway } from './gateway.ts';
import { hostedFeed } from './market/feed.ts';
import { type Listing, listingOf } from './market/listing.ts';
import { pastOf } from './market/past.ts';
import { type DialStreams, hostedStreams } from './market/streams.ts';
import { BackDating } from './session/back-dating.ts';
import type { EngineTime } from './session/engine-time.ts';
import { openSession } from './session/open-session.ts';
import { Session } from './session/session.ts';
import { nonceCounter } from './session/sign-action.ts';
import { firstTime, timesOf } from './session/times.ts';
import type { Wallet } from './session/wallet.ts';

/** How long a connection waits for the answer to an action, also after the gateway's timeout. */
const ACTION_TIMEOUT: Millis = 30_000;
const SESSION_SECONDS = 86_400;

export interface ConnectOptions extends VenueOptions {
  readonly transport: Transport;
  /** Used only to open a session. */
  readonly wallet: Wallet;
  /** The user's first account by default. */
  readonly accountId?: AccountId | undefined;
  readonly schema: ActionSchema;
  /** Secret key of the session, 32 bytes; with the same key a restart continues the session that is still alive. */
  readonly sessionKey: Uint8Array;
  /** Ed25519 by default: only a simulated exchange accepts another. */
  readonly signatures?: Signatures | undefined;
  /** Requested life of a session; a day by default. The exchange may shorten it. */
  readonly sessionSeconds?: number | undefined;
  /** 32 bits; must differ from the nonces of a run that ended within the last minutes. */
  readonly firstNonce: number;
  /** Called before a session is opened, if the exchange knows the user by then. */
  readonly admit?: Admit | undefined;
  /** Opens the exchange's websocket, which reports books and account changes earlier than the polls; if absent, there are only polls. */
  readonly dialStreams?: DialStreams | undefined;
  /** Repeats the requests of the start until the exchange answers; default: `hostedStart` with its default timeout. */
  readonly retry?: Retry | undefined;
}

/** Returns the retries of a start at a hosted exchange. */
export const hostedStart = (options: Pick<StartOptions, 'clock' | 'rng' | 'log' | 'timeoutMs'>): Retry =>
  startRetries({ ...options, rng: options.rng.fork('start'), what: 'the exchange', hintFor });

/**
 * Reads the exchange's time, its markets and the user's account, opens a session, and returns the venue to trade at. Each request is repeated until
 * the start's timeout. Rejects with a UserError if the address, the key, the account or a market is wrong, and if the exchange cannot be reached in
 * that time. The caller closes the transport.
 */
export async function connectHosted(options: ConnectOptions): Promise<Venue> {
  const { clock, rng, log, wallet, writeAhead = NO_WRITE_AHEAD, retry = hostedStart({ clock, rng, log }) } = options;
  const client = hostedClient({ transport: options.transport, timeouts: { actionMs: ACTION_TIMEOUT } });
  const codec = new ActionCodec(options.schema);
  const signer = (options.signatures ?? ED25519).signerFrom(options.sessionKey);
  const nextNonce = nonceCounter(options.firstNonce);
  const time = await retry(() => firstTime(client, clock));
  const listing = await listingOf({ client, clock, retry }, options.markets);
  const lifeSeconds = options.sessionSeconds ?? SESSION_SECONDS;
  const opening = { client, codec, clock, time, wallet, signer, nextNonce, writeAhead, lifeSeconds, granted: { lifeSeconds }, log };
  const session = new Session({ clock, rng: rng.fork('session'), time, open: (unwanted) => openSession(opening, unwanted), log });
  try {
    const owner = await checkAndOpenSession({ client, session, retry, extras: codec.extras, listing }, options);
    const trades = new OwnTrades({ client, clock, time, account: owner.account, markets: listing.directory, resume: options.resume });
    await skipEarlierTrades(trades, { ...options, retry });
    const fees = await feesOf(owner.account, { client, log });
    return venueOf(options, { client, fees, codec, time, session, signer, nextNonce, trades, ...owner, ...listing });
  } catch (error) {
    session.close();
    throw error;
  }
}

/** Checks the account, then opens a session. For a user unknown to the exchange the order is reversed, because the session may create the user. */
async function checkAndOpenSession({ client, session, retry, extras, listing }: OpeningParts, options: ConnectOptions): Promise<Owner> {
  const { wallet, accountId } = options;
  const publicKey = toBase58(wallet.publicKey);
  const ownerIn = (user: User | undefined): Owner => ownerOf(user, { publicKey, wanted: accountId, extras });
  const admit = ({ account }: Owner): Promise<void> => {
    const read = async (): Promise<Account> => accountOf(account, await client.account(account), listing.directory);
    return admitAccount(options, { account, markets: listing.markets, retry, read });
  };
  const known = await retry(() => userOf(client, publicKey));
  const owner = known === undefined || known.accountIds.length === 0 ? undefined : ownerIn(known);
  if (owner !== undefined) await admit(owner);
  await retry(() => session.open());
  if (owner !== undefined) return owner;
  const created = ownerIn(await retry(() => userOf(client, publicKey)));
  await admit(created);
  return created;
}

interface OpeningParts {
  readonly client: HostedClient;
  readonly session: Session;
  readonly retry: Retry;
  readonly extras: ActionCodec['extras'];
  readonly listing: Listing;
}

interface Parts extends Owner, Listing {
  readonly client: HostedClient;
  readonly codec: ActionCodec;
  readonly time: EngineTime;
  readonly session: Session;
  readonly signer: Signer;
  readonly nextNonce: () => number;
  readonly trades: OwnTrades;
  readonly fees: AccountFees;
}

function venueOf({ clock, rng, polling, writeAhead = NO_WRITE_AHEAD, log, dialStreams }: ConnectOptions, parts: Parts): Venue {
  const { client, time, directory } = parts;
  const ask = askWith({ clock, rng: rng.fork('polls'), requestsPerSecond: polling.requestsPerSecond });
  const stuck = new StuckAccount(clock);
  const closing = new ReplaySubject<void>(1);
  const times = timesOf({ client, time, ask, everyMs: polling.timeMs }).pipe(takeUntil(closing), share());
  const tools = { clock, client, ask, polling };
  const streams = dialStreams && hostedStreams({ ...parts, dial: dialStreams, clock, rng: rng.fork('streams'), log });
  const feed = hostedFeed({ ...parts, ...tools, streams, times, closing, tradedAfter: (moment) => stuck.tradedAfter(moment) });
  const own = ownEvents({ ...parts, ...tools, markets: directory, stuck, changed: streams?.changed.pipe(takeUntil(closing)) });
  const gateway = new HostedGateway({
    ...parts,
    clock,
    closing,
    writeAhead,
    backDating: new BackDating({ ...parts, clock, writeAhead, log }),
    seen: merge(own, times.pipe(ignoreElements())), // signing needs the polled time, also without a subscription to the feed
    executedAfter: (sent) => stuck.executedAfter(sent),
  });
  return {
    feed,
    gateway,
    connectedAt: time.last * 1_000,
    history: (asked) => pastOf(asked, { client, directory }),
  };
}
