// The public data of an exchange's client as events: its listing, books, trades, prices and time. No account is needed.
import { merge, type Observable, ReplaySubject, share, takeUntil, tap } from 'rxjs';
import type { Clock, Millis } from '../../base/clock.ts';
import type { Rng } from '../../base/rng.ts';
import type { MarketEvent } from '../../domain/event.ts';
import type { Market } from '../../domain/market.ts';
import type { Trade } from '../../domain/order.ts';
import type { PublicFeed } from '../port.ts';
import { listedMarket, listingChange, listingEvents } from './listing.ts';
import type { Log } from './log.ts';
import { pastOfTrades } from './past-trades.ts';
import { type Retry, type StartOptions, startRetries } from './start-retries.ts';
import { bookEvents, countedTimeEvents, infoEvents, type StreamTools, timeEvents, tradeEvents } from './streams/market-streams.ts';
import { askWith, type Polling } from './streams/polling.ts';
import { pushedBooks, type pushes } from './streams/push.ts';
import { StuckSequence } from './streams/stuck-sequence.ts';
import { MARKET_TRADE_PAGES, OVERLAP, readPages, TradeTail } from './streams/trade-tail.ts';
import type { PublicClient, VenueListing } from './venue-client.ts';

/** How long a book or account may stay the same although it must have changed, before it counts as stuck. */
export const MAX_UNCHANGED: Millis = 2_000;

/** The listing of an exchange, and the markets to trade. */
export interface FoundListing {
  readonly listing: VenueListing;
  /** When it was requested. */
  readonly requestedAt: Millis;
  readonly markets: readonly Market[];
}

/** A time that the exchange's clock has shown. */
export interface ClockReading {
  readonly seconds: number;
  readonly asked: Millis;
}

export interface FeedParts extends FoundListing {
  readonly client: PublicClient;
  /** Undefined if the exchange has no clock. */
  readonly firstTime: ClockReading | undefined;
}

/** What a connection to the public data of any exchange needs. */
export interface FeedOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly polling: Polling;
  /** Symbols of the markets to trade. */
  readonly markets: readonly string[];
  readonly log: Log;
  /** Timeout and log of the start's repeated requests. */
  readonly start?: Pick<StartOptions, 'timeoutMs' | 'log'> | undefined;
}

/**
 * Connects to the public data only, for a paper run. Each request is repeated until the start's timeout. Rejects with a UserError if a market is not
 * listed, and if the exchange cannot be reached in that time.
 */
export async function connectPublicFeed(client: PublicClient, options: FeedOptions): Promise<PublicFeed> {
  const { clock, rng, polling } = options;
  const retry = retriesFor(client, options);
  const found = await readListing(client, { clock, retry, symbols: options.markets });
  const firstTime = await readFirstTime(client, { clock, retry });
  const closing = new ReplaySubject<void>(1);
  const ask = askWith({ clock, rng: rng.fork('polls'), requestsPerSecond: polling.requestsPerSecond });
  const { events } = publicEvents({ clock, ask, polling }, { ...found, client, firstTime });
  return {
    markets: found.markets,
    tokens: found.listing.tokens,
    events: events.pipe(takeUntil(closing), share()),
    history: historyOf(client),
    close: () => closing.next(),
  };
}

/** Returns the retries of a start: one deadline for all requests of a client. */
export const retriesFor = (client: PublicClient, { clock, rng, log, start }: Pick<FeedOptions, 'clock' | 'rng' | 'log' | 'start'>): Retry =>
  startRetries({ clock, rng: rng.fork('start'), log, ...start, what: client.name, hintFor: (error) => client.hintFor(error) });

/** Throws a UserError if one of the symbols is not listed. */
export async function readListing(
  client: PublicClient,
  { clock, retry, symbols }: { readonly clock: Clock; readonly retry: Retry; readonly symbols: readonly string[] },
): Promise<FoundListing> {
  let requestedAt: Millis = clock.now();
  const listing = await retry(() => {
    requestedAt = clock.now();
    return client.listing();
  });
  return { listing, requestedAt, markets: symbols.map((symbol) => listedMarket(listing.markets, symbol)) };
}

/** Reads the exchange's clock; undefined if the exchange has none. */
export async function readFirstTime(
  { clock: readClock }: PublicClient,
  { clock, retry }: { readonly clock: Clock; readonly retry: Retry },
): Promise<ClockReading | undefined> {
  if (readClock === undefined) return undefined;
  return retry(async () => {
    const asked = clock.now();
    return { seconds: await readClock(), asked };
  });
}

/** Returns a function that reads past candles from the client, or builds them from its public trades. */
export const historyOf =
  (client: PublicClient): PublicFeed['history'] =>
  (asked) =>
    client.candles?.(asked) ?? pastOfTrades(asked, (since) => client.trades(asked.market, since));

interface PublicEvents {
  readonly events: Observable<MarketEvent>;
  /** Returns the latest second that the exchange's clock may show at a local time. */
  readonly secondsAt: (moment: Millis) => number;
}

/** Returns the events of the public data: time, live info, listing, books and trades. */
export function publicEvents(tools: StreamTools, parts: FeedParts & { readonly pushed?: Pushed | undefined }): PublicEvents {
  const { client, markets, requestedAt, pushed } = parts;
  const time = timeSource(tools, parts);
  const events = merge(
    time.events,
    infoEvents(tools, { read: () => client.live(markets), infosIn: (infos) => infos }),
    listingEvents(tools, { read: () => client.listing(), markets, requestedAt, changeOf: listingChange }),
    ...markets.flatMap((market) => marketEvents(tools, market, { client, pushed })),
  );
  return { events, secondsAt: time.secondsAt };
}

type Pushed = ReturnType<typeof pushes>;

function marketEvents(tools: StreamTools, market: Market, { client, pushed }: { client: PublicClient; pushed: Pushed | undefined }) {
  const { listingLagMs } = client.rules;
  const sequence = new StuckSequence(tools.clock);
  const tail = new TradeTail<Trade>({
    read: (window) => readPages(client.trades(market, window.since), window),
    overlapMs: OVERLAP,
    maxPages: MARKET_TRADE_PAGES,
  });
  let count = 0;
  const numbered = (book: Awaited<ReturnType<PublicClient['book']>>) => ({ ...book, updateId: book.updateId ?? String(++count) });
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
      revisionOf: ({ bids, asks }) => JSON.stringify([bids, asks]),
      maxUnchangedMs: MAX_UNCHANGED,
      pushed: pushed && pushedBooks(pushed, market),
    }),
  ];
}

/** Returns the time events: from the exchange's clock if it has one, else from ours. */
function timeSource(tools: StreamTools, { client, firstTime }: FeedParts): PublicEvents {
  const readClock = client.clock;
  if (readClock === undefined || firstTime === undefined) {
    return { events: countedTimeEvents(tools, client.rules.orderLife * 1_000), secondsAt: ownSeconds };
  }
  let newest = firstTime;
  const times = tools.ask({ everyMs: tools.polling.timeMs, ask: () => readClock(), priority: 'high' }).pipe(
    tap((answer) => {
      if (answer.kind === 'seen') newest = { seconds: answer.value, asked: answer.asked };
    }),
  );
  const secondsAt = (moment: Millis): number => newest.seconds + 1 + Math.ceil((moment - newest.asked) / 1_000);
  return { events: timeEvents(tools, times), secondsAt };
}

const ownSeconds = (moment: Millis): number => Math.ceil(moment / 1_000);
