// Makes a venue from an exchange's client. Checks the exchange first, before anything is traded.

import { merge, ReplaySubject, share, takeUntil, tap } from 'rxjs';
import type { Clock, Millis } from '../../base/clock.ts';
import { memoizeLast } from '../../base/collections/memoize-last.ts';
import type { Rng } from '../../base/rng.ts';
import type { Account } from '../../domain/account.ts';
import { withSpotPositions } from '../../domain/accounting/spot.ts';
import type { Market } from '../../domain/market.ts';
import type { Fill, Trade } from '../../domain/order.ts';
import { type Admit, nameIn, type Venue } from '../port.ts';
import { listedMarket, listingChange, listingEvents } from './listing.ts';
import type { Log } from './log.ts';
import { pastOfTrades } from './past-trades.ts';
import { ClientGateway } from './sending/client-gateway.ts';
import { NO_WRITE_AHEAD, type WriteAhead } from './sending/outgoing.ts';
import { looksAtStart } from './start-reads.ts';
import { type StartOptions, startRetries } from './start-retries.ts';
import { accountEvents, contentOf, fillEvents } from './streams/account-streams.ts';
import { bookEvents, countedTimeEvents, infoEvents, type StreamTools, timeEvents, tradeEvents } from './streams/market-streams.ts';
import { askWith, type Polling } from './streams/polling.ts';
import { pushedBooks, pushedFills, pushes } from './streams/push.ts';
import { StuckSequence } from './streams/stuck-sequence.ts';
import { MARKET_TRADE_PAGES, OVERLAP, type Resumption, readPages, TradeTail } from './streams/trade-tail.ts';
import type { VenueClient, VenueListing } from './venue-client.ts';

/** Maximum time without a change while the market trades, for an exchange without update numbers or with one number for the whole exchange. */
const STILL: Millis = 2_000;

/** What a connection to any exchange needs. */
export interface VenueOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly polling: Polling;
  /** Symbols of the markets to trade. */
  readonly markets: readonly string[];
  readonly log: Log;
  /** Writes actions ahead of sending them; by default nothing is written. */
  readonly writeAhead?: WriteAhead | undefined;
  /** Called before anything is placed. */
  readonly admit?: Admit | undefined;
  /** The time between two reads of the account before `admit` is called; 2 s by default. */
  readonly looksApartMs?: Millis | undefined;
  /** Where an earlier process of this run stopped reading our trades. */
  readonly resume?: Resumption | undefined;
  /** Called with the newest trades of the account if no earlier process is resumed: they were made before this run. */
  readonly begins?: ((before: readonly Fill[]) => void) | undefined;
}

export interface ConnectOptions extends VenueOptions {
  /** Timeout and log of the start's repeated requests. */
  readonly start?: Pick<StartOptions, 'timeoutMs' | 'log'> | undefined;
}

/**
 * Reads the listing and the account, and returns the venue. Each request is repeated until the start's timeout. Rejects with a UserError if a market
 * is not listed, and if the exchange cannot be reached in that time. The caller closes the transport.
 */
export async function connectVenue(client: VenueClient, options: ConnectOptions): Promise<Venue> {
  const { clock, rng, log, start, admit, resume } = options;
  const retry = startRetries({
    clock,
    rng: rng.fork('start'),
    log,
    ...start,
    what: client.name,
    hintFor: (error) => client.hintFor(error),
  });
  let lookedAt: Millis = clock.now();
  const listing = await retry(() => {
    lookedAt = clock.now();
    return client.listing();
  });
  const markets = options.markets.map((symbol) => listedMarket(listing.markets, symbol));
  const readAccount = accountReader(client, { listing, markets });
  const looks = await looksAtStart({ clock, retry, look: readAccount, apartMs: admit === undefined ? 0 : options.looksApartMs });
  const account = looks[0].id;
  admit?.({ account, markets, accounts: looks });
  const trades = new TradeTail<Fill>({
    read: (window) => readPages(client.fills(listing.markets, window.since), window),
    overlapMs: OVERLAP,
    resume,
  });
  if (resume === undefined) options.begins?.(trades.takeNew(await retry(() => trades.read()))); // trades from before this run do not belong to it
  const { clock: ask } = client;
  const first = ask && (await retry(() => readingOf(ask, clock)));
  return venueOf(options, { client, listing, lookedAt, markets, readAccount, account, trades, first });
}

interface Parts {
  readonly client: VenueClient;
  readonly listing: VenueListing;
  readonly lookedAt: Millis;
  readonly markets: readonly Market[];
  readonly readAccount: () => Promise<Account>;
  readonly account: Account['id'];
  readonly trades: TradeTail<Fill>;
  readonly first: Reading | undefined;
}

interface Reading {
  readonly seconds: number;
  readonly asked: Millis;
}

function venueOf(options: ConnectOptions, parts: Parts): Venue {
  const { clock, rng, polling, log, writeAhead = NO_WRITE_AHEAD } = options;
  const { client, listing, lookedAt, markets, readAccount, trades } = parts;
  const { listingLagMs, orderLife } = client.rules;
  const closing = new ReplaySubject<void>(1);
  const ask = askWith({ clock, rng: rng.fork('polls'), requestsPerSecond: polling.requestsPerSecond });
  const tools: StreamTools = { clock, ask, polling };
  const source = client.push?.(markets);
  const pushed = source === undefined ? undefined : pushes({ clock, rng: rng.fork('push'), source, log }).pipe(takeUntil(closing), share());
  const time = timeOf(tools, { client, first: parts.first, orderLife });
  const feed = merge(
    time.events,
    infoEvents(tools, { read: () => client.live(markets), infosIn: (infos) => infos }),
    listingEvents(tools, { read: () => client.listing(), markets, lookedAt, changeOf: listingChange }),
    ...markets.flatMap((market) => marketEvents(tools, market, { client, pushed })),
  );
  const sequence = new StuckSequence(clock);
  const own = merge(
    accountEvents(tools, { read: readAccount, mark: (account) => sequence.observe(contentOf(account, { value: true })), stillMs: STILL }),
    fillEvents(tools, {
      trades,
      what: 'round of own trades',
      lagMs: listingLagMs,
      filled: (_, lastRound) => sequence.happenedAfter(lastRound - listingLagMs),
      pushed: pushed && pushedFills(pushed),
    }),
  );
  const gateway = new ClientGateway({ ...parts, clock, writeAhead, closing, secondsAt: time.secondsAt, seen: own });
  return {
    feed: { markets, tokens: listing.tokens, events: feed.pipe(takeUntil(closing), share()) },
    gateway,
    rules: { orderLife },
    history: (asked) => pastOfTrades(asked, (since) => client.trades(asked.market, since)),
  };
}

type Pushed = ReturnType<typeof pushes>;

function marketEvents(tools: StreamTools, market: Market, { client, pushed }: { client: VenueClient; pushed: Pushed | undefined }) {
  const { listingLagMs } = client.rules;
  const sequence = new StuckSequence(tools.clock);
  const tail = new TradeTail<Trade>({
    read: (window) => readPages(client.trades(market, window.since), window),
    overlapMs: OVERLAP,
    maxPages: MARKET_TRADE_PAGES,
  });
  let count = 0;
  const numbered = (book: Awaited<ReturnType<VenueClient['book']>>) => ({ ...book, updateId: book.updateId ?? String(++count) });
  return [
    tradeEvents(tools, market, {
      tail,
      requests: 'several',
      happenedAfter: (_, lastRound) => lastRound - listingLagMs,
      tradedAfter: (moment) => sequence.happenedAfter(moment),
    }),
    bookEvents(tools, market, {
      read: async () => numbered(await client.book(market)),
      sequence,
      markOf: ({ bids, asks }) => JSON.stringify([bids, asks]),
      stillMs: STILL,
      pushed: pushed && pushedBooks(pushed, market),
    }),
  ];
}

/**
 * Returns the time events, from the exchange's clock if it has one, else from ours; and `secondsAt`, the latest second that the exchange's clock may
 * show at a local time.
 */
function timeOf(tools: StreamTools, { client, first, orderLife }: { client: VenueClient; first: Reading | undefined; orderLife: number }) {
  const ask = client.clock;
  if (ask === undefined || first === undefined) {
    return { events: countedTimeEvents(tools, orderLife * 1_000), secondsAt: ownSeconds };
  }
  let newest: Reading = first;
  const times = tools.ask({ everyMs: tools.polling.timeMs, ask: () => ask(), priority: 'high' }).pipe(
    tap((answer) => {
      if (answer.kind === 'seen') newest = { seconds: answer.value, asked: answer.asked };
    }),
  );
  const secondsAt = (moment: Millis): number => newest.seconds + 1 + Math.ceil((moment - newest.asked) / 1_000);
  return { events: timeEvents(tools, times), secondsAt };
}

const ownSeconds = (moment: Millis): number => Math.ceil(moment / 1_000);

async function readingOf(ask: () => Promise<number>, clock: Clock): Promise<Reading> {
  const asked = clock.now();
  return { seconds: await ask(), asked };
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
