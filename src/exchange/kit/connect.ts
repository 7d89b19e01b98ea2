// Makes a venue from an exchange's client. Checks the exchange first, before anything is traded.

import { merge, ReplaySubject, share, takeUntil } from 'rxjs';
import type { Millis } from '../../base/clock.ts';
import { memoizeLast } from '../../base/collections/memoize-last.ts';
import type { Account } from '../../domain/account.ts';
import { withSpotPositions } from '../../domain/accounting/spot.ts';
import type { Market } from '../../domain/market.ts';
import type { Fill } from '../../domain/order.ts';
import { type Admit, nameIn, type Venue } from '../port.ts';
import {
  type FeedOptions,
  type FeedParts,
  historyOf,
  MAX_UNCHANGED,
  publicEvents,
  readFirstTime,
  readListing,
  retriesFor,
} from './connect-feed.ts';
import { ClientGateway } from './sending/client-gateway.ts';
import { NO_WRITE_AHEAD, type WriteAhead } from './sending/outgoing.ts';
import { accountsAtStart, skipEarlierTrades } from './start-reads.ts';
import { accountEvents, contentOf, fillEvents } from './streams/account-streams.ts';
import type { StreamTools } from './streams/market-streams.ts';
import { askWith } from './streams/polling.ts';
import { pushedFills, pushes } from './streams/push.ts';
import { StuckSequence } from './streams/stuck-sequence.ts';
import { OVERLAP, type Resumption, readPages, TradeTail } from './streams/trade-tail.ts';
import type { VenueClient, VenueListing } from './venue-client.ts';

/** What a connection to any exchange needs. */
export interface VenueOptions extends Omit<FeedOptions, 'start'> {
  /** Writes actions ahead of sending them; by default nothing is written. */
  readonly writeAhead?: WriteAhead | undefined;
  /** Called before anything is placed. */
  readonly admit?: Admit | undefined;
  /** The time between two reads of the account before `admit` is called; 2 s by default. */
  readonly betweenAccountsMs?: Millis | undefined;
  /** Where an earlier process of this run stopped reading our trades. */
  readonly resume?: Resumption | undefined;
  /** Called with the newest trades of the account if no earlier process is resumed: they were made before this run. */
  readonly onEarlierTrades?: ((earlier: readonly Fill[]) => void) | undefined;
}

export type ConnectOptions = VenueOptions & FeedOptions;

/**
 * Reads the listing and the account, and returns the venue. Each request is repeated until the start's timeout. Rejects with a UserError if a market
 * is not listed, and if the exchange cannot be reached in that time. The caller closes the transport.
 */
export async function connectVenue(client: VenueClient, options: ConnectOptions): Promise<Venue> {
  const { clock, admit, resume } = options;
  const retry = retriesFor(client, options);
  const found = await readListing(client, { clock, retry, symbols: options.markets });
  const { listing, markets } = found;
  const readAccount = accountReader(client, { listing, markets });
  const accounts = await accountsAtStart({ clock, retry, read: readAccount, apartMs: admit === undefined ? 0 : options.betweenAccountsMs });
  const account = accounts[0].id;
  admit?.({ account, markets, accounts });
  const trades = new TradeTail<Fill>({
    read: (window) => readPages(client.fills(listing.markets, window.since), window),
    overlapMs: OVERLAP,
    resume,
  });
  await skipEarlierTrades(trades, { ...options, retry });
  const firstTime = await readFirstTime(client, { clock, retry });
  return venueOf(options, { ...found, client, firstTime, readAccount, account, trades });
}

interface Parts extends FeedParts {
  readonly client: VenueClient;
  readonly readAccount: () => Promise<Account>;
  readonly account: Account['id'];
  readonly trades: TradeTail<Fill>;
}

function venueOf(options: ConnectOptions, parts: Parts): Venue {
  const { clock, rng, polling, log, writeAhead = NO_WRITE_AHEAD } = options;
  const { client, listing, markets, readAccount, trades } = parts;
  const { listingLagMs, orderLife } = client.rules;
  const closing = new ReplaySubject<void>(1);
  const ask = askWith({ clock, rng: rng.fork('polls'), requestsPerSecond: polling.requestsPerSecond });
  const tools: StreamTools = { clock, ask, polling };
  const source = client.push?.(markets);
  const pushed = source === undefined ? undefined : pushes({ clock, rng: rng.fork('push'), source, log }).pipe(takeUntil(closing), share());
  const { events, secondsAt } = publicEvents(tools, { ...parts, pushed });
  const sequence = new StuckSequence(clock);
  const ownEvents = merge(
    accountEvents(tools, {
      read: readAccount,
      revisionOf: (account) => sequence.observe(contentOf(account, { value: true })),
      maxUnchangedMs: MAX_UNCHANGED,
    }),
    fillEvents(tools, {
      trades,
      what: 'round of own trades',
      lagMs: listingLagMs,
      filled: (_, lastRound) => sequence.happenedAfter(lastRound - listingLagMs),
      pushed: pushed && pushedFills(pushed),
    }),
  );
  const gateway = new ClientGateway({ ...parts, clock, writeAhead, closing, secondsAt, seen: ownEvents });
  return {
    feed: { markets, tokens: listing.tokens, events: events.pipe(takeUntil(closing), share()) },
    gateway,
    rules: { orderLife },
    history: historyOf(client),
  };
}

/** Returns a function that reads the account; counts the reads if the exchange does not number its accounts. */
function accountReader(
  client: VenueClient,
  { listing, markets }: { listing: VenueListing; markets: readonly Market[] },
): () => Promise<Account> {
  const nameOf = nameIn(listing.tokens);
  let count = 0;
  const read = memoizeLast((account: Account) => withSpotPositions(account, markets, nameOf));
  return async () => {
    const seen = await client.account(listing.markets);
    return read({ ...seen, updateId: seen.updateId ?? String(++count) });
  };
}
