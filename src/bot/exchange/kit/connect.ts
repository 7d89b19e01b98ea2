// Makes a venue from an exchange's client. Checks the exchange first, before anything is traded.

import { ignoreElements, merge, type Observable, ReplaySubject, share, takeUntil } from 'rxjs';
import type { Millis } from '../../../base/clock.ts';
import { memoizeLast } from '../../../base/collections/recent.ts';
import { assert } from '../../../base/errors.ts';
import type { Account } from '../../domain/account.ts';
import { withSpotPositions } from '../../domain/accounting/spot.ts';
import type { AccountEvent } from '../../domain/event.ts';
import type { AccountRef, UpdateId } from '../../domain/ids.ts';
import type { Fill } from '../../domain/order.ts';
import { type Admit, nameIn, type Venue } from '../port.ts';
import {
  type FeedOptions,
  type FoundListing,
  historyOf,
  type PlannedTools,
  polledTimes,
  pollTools,
  publicEvents,
  readClock,
  readListing,
  retriesFor,
  secondsAtOf,
} from './connect-feed.ts';
import { OwnFills } from './own-fills.ts';
import { ClientGateway } from './sending/client-gateway.ts';
import { NO_WRITE_AHEAD, type WriteAhead } from './sending/outgoing.ts';
import { admitAccount, skipEarlierTrades } from './start-reads.ts';
import type { Retry } from './start-retries.ts';
import { AccountSeries } from './streams/account-series.ts';
import { accountEvents, fillEvents } from './streams/account-streams.ts';
import { PolledFeeRates } from './streams/fee-rates.ts';
import type { StreamTools } from './streams/market-streams.ts';
import { type OwnCount, OwnCounts, type OwnCountsOptions } from './streams/own-counts.ts';
import { StuckAccount } from './streams/stuck-account.ts';
import { happenedAfter, type Resumption } from './streams/trade-tail.ts';
import type { AccountFees, ReadAccount, VenueClient, VenueStreams } from './venue-client.ts';

/** What a connection to any exchange needs. */
export interface ConnectOptions extends FeedOptions {
  /** Writes actions ahead of sending them; by default nothing is written. */
  readonly writeAhead?: WriteAhead | undefined;
  /** Called before anything is placed, and before a session is opened if the exchange has the account by then. */
  readonly admit?: Admit | undefined;
  /** The time between two reads of the account before `admit` is called; by default the longest that an account may be behind, 2 s or more. */
  readonly betweenAccountsMs?: Millis | undefined;
  /** Where an earlier process of this run stopped reading our trades. */
  readonly resume?: Resumption | undefined;
  /** The number of the newest account that an earlier process of this run knew when it sent an action. */
  readonly newestAccount?: UpdateId | undefined;
  /** What the run remembers of accounts that stated how many orders they have, and listed as many. */
  readonly ownCounts?: Pick<OwnCountsOptions, 'hasAgreed' | 'onAgreed'> | undefined;
  /** Called with the newest trades of the account if no earlier process is resumed: they were made before this run. */
  readonly onEarlierTrades?: ((earlier: readonly Fill[]) => void) | undefined;
}

/**
 * Reads the exchange's time, its listing and the account, opens what signing needs, and returns the venue. Each request is repeated until the start's
 * timeout. Rejects with a UserError if a market or the account is wrong, if the exchange cannot be reached in that time, and if the limit on requests
 * leaves none for books. The caller closes the transport.
 */
export async function connectVenue(client: VenueClient, options: ConnectOptions): Promise<Venue> {
  const { clock, resume, retry = retriesFor(client, options) } = options;
  try {
    const tools = pollTools(client, options);
    await readClock(client, retry);
    const found = await readListing(client, { clock, retry, symbols: options.markets });
    const counts = new OwnCounts({ clock, log: options.log, ...options.ownCounts });
    const account = await openAccount(client, { ...options, retry, found, counts });
    const trades = new OwnFills(client.fills(found.listing.markets), { ...client.rules, clock, resume });
    await skipEarlierTrades(trades, { ...options, retry });
    const fees = new PolledFeeRates(client, options.log);
    await fees.start();
    const readAccount = accountReader(client, { found, check: (stated) => counts.require(stated), fees });
    return venueOf(options, { ...found, client, tools, readAccount, counts, account, trades, fees });
  } catch (error) {
    client.close?.();
    throw error;
  }
}

interface OpeningOptions extends ConnectOptions {
  readonly retry: Retry;
  readonly found: FoundListing;
  readonly counts: OwnCounts;
}

/** Checks the account, then opens it. The order is reversed if the exchange has no account yet, because opening may create it. */
async function openAccount(client: VenueClient, { retry, found, counts, ...options }: OpeningOptions): Promise<AccountRef> {
  const { markets } = found;
  const readOwner = (): Promise<AccountRef | undefined> => retry(() => client.owner());
  const read = accountReader(client, { found, check: (stated) => counts.requireAtStart(stated) });
  const admit = (account: AccountRef): Promise<void> =>
    admitAccount({ ...options, accountLag: client.rules.accountLag }, { account, markets, retry, read });
  const existing = await readOwner();
  if (existing !== undefined) await admit(existing);
  await retry(async () => client.open?.());
  if (existing !== undefined) return existing;
  const created = await readOwner();
  assert(created !== undefined, 'the client is open without an account');
  await admit(created);
  return created;
}

interface Parts extends FoundListing {
  readonly client: VenueClient;
  readonly tools: PlannedTools;
  readonly readAccount: () => Promise<Account>;
  readonly counts: OwnCounts;
  readonly account: AccountRef;
  readonly trades: OwnFills;
  readonly fees: PolledFeeRates;
}

function venueOf(options: ConnectOptions, parts: Parts): Venue {
  const { clock, rng, log, writeAhead = NO_WRITE_AHEAD } = options;
  const { client, tools, listing, markets } = parts;
  const { rules } = client;
  const closing = new ReplaySubject<void>(1);
  const stuck = new StuckAccount(clock, rules);
  const series = new AccountSeries({ clock, earlier: rules.revision === 'number' ? options.newestAccount : undefined });
  const times = polledTimes(client, tools)?.pipe(takeUntil(closing), share());
  const streams = client.streams?.(markets, { clock, rng: rng.fork('streams'), log });
  const events = publicEvents(tools, { ...parts, times, streams, tradedAfter: (moment) => stuck.tradedAfter(moment) });
  const seen = ownEvents(tools, { ...parts, stuck, series, streams: streams && untilClosed(streams, closing) });
  const gateway = new ClientGateway({
    ...parts,
    clock,
    log,
    writeAhead,
    closing,
    secondsAt: secondsAtOf(client),
    seen: times === undefined ? seen : merge(seen, times.pipe(ignoreElements())), // signing needs the polled time, also without a subscription to the feed
    executed(action) {
      stuck.executedAfter(action.sent);
      series.executed(action);
    },
  });
  return {
    feed: { markets, tokens: listing.tokens, events: events.pipe(takeUntil(closing), share()), polls: tools.plan },
    gateway,
    rules: { orderLife: rules.orderLife, absence: rules.absence, accountLag: rules.accountLag },
    connectedAt: client.clock && client.clock.latest().seconds * 1_000,
    history: historyOf(client),
    readAgain: (again, options) => parts.trades.readAgain(again, options),
  };
}

type OwnStreams = Pick<VenueStreams, 'fills' | 'changed'>;

const untilClosed = ({ fills, changed }: OwnStreams, closing: ReplaySubject<void>): OwnStreams => ({
  fills: fills?.pipe(takeUntil(closing)),
  changed: changed?.pipe(takeUntil(closing)),
});

interface OwnParts extends Parts {
  readonly stuck: StuckAccount;
  readonly series: AccountSeries;
  readonly streams: OwnStreams | undefined;
}

function ownEvents(
  tools: StreamTools,
  { client, readAccount, counts, trades, fees, stuck, series, streams = {} }: OwnParts,
): Observable<AccountEvent> {
  const { listingLagMs, maxUnchangedMs } = client.rules;
  const { fills: pushed, changed } = streams;
  return merge(
    counts.findings,
    ...fees.refresh(tools),
    accountEvents(tools, { read: readAccount, revisionOf: (account) => stuck.observe(account), maxUnchangedMs, changed, series }),
    fillEvents(tools, {
      trades,
      what: 'round of own trades',
      lagMs: listingLagMs,
      filled: (fills, lastRound) => stuck.filledAfter(happenedAfter(fills, lastRound, client.rules)),
      pushed,
      changed,
    }),
  );
}

const NO_FEES: AccountFees = {};

interface ReaderOptions {
  readonly found: FoundListing;
  /** Throws if an account states another number of orders than it lists. */
  readonly check: (counts: readonly OwnCount[]) => void;
  readonly fees?: Pick<PolledFeeRates, 'newest'> | undefined;
}

/** Returns a function that reads the account; counts the reads if the exchange does not number its accounts. */
function accountReader(client: VenueClient, { found: { listing }, check, fees }: ReaderOptions): () => Promise<Account> {
  const nameOf = nameIn(listing.tokens);
  let count = 0;
  const read = memoizeLast(({ counts = [], updateId = String(++count), ...seen }: ReadAccount) => {
    const account = withSpotPositions({ ...seen, updateId }, listing.markets, nameOf);
    return { counts, priced: memoizeLast((rates: AccountFees): Account => ({ ...account, ...rates })) };
  });
  return async () => {
    const { counts, priced } = read(await client.account(listing.markets));
    check(counts);
    return priced(fees?.newest ?? NO_FEES);
  };
}
