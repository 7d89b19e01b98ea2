// The public data of an exchange's client as events: its listing, books, trades, prices and time. No account is needed.
import { ignoreElements, merge, type Observable, ReplaySubject, share, takeUntil } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import type { Rng } from '../../../base/rng.ts';
import type { Answer } from '../../../base/streams/answer.ts';
import type { Book } from '../../domain/book.ts';
import type { MarketEvent } from '../../domain/event.ts';
import type { Market, MarketSpec } from '../../domain/market.ts';
import type { AdapterLog, PublicFeed } from '../port.ts';
import { changesIn, listedMarket, listingEvents } from './listing.ts';
import { tailOf } from './own-fills.ts';
import { pastOfTrades } from './past-trades.ts';
import { type Retry, type StartOptions, startRetries } from './start-retries.ts';
import {
  bookEvents,
  candleEvents,
  countedTimeEvents,
  infoEvents,
  type StreamTools,
  timeEvents,
  tradeEvents,
} from './streams/market-streams.ts';
import { askWith, type Polling, type PollPlan, pollPlan } from './streams/polling.ts';
import { StuckSequence } from './streams/stuck-sequence.ts';
import { happenedAfter, MARKET_TRADE_PAGES, OVERLAP } from './streams/trade-tail.ts';
import type { PublicClient, VenueListing, VenueStreams } from './venue-client.ts';

/** The listing of an exchange, and the markets to trade. */
export interface FoundListing {
  readonly listing: VenueListing;
  /** When it was requested. */
  readonly requestedAt: Millis;
  readonly markets: readonly Market[];
}

export interface FeedParts extends FoundListing {
  readonly client: PublicClient;
  /** The polled time in seconds; undefined if the exchange has no clock. */
  readonly times: Observable<Answer<number>> | undefined;
  /** Books from a socket, earlier than by polling. */
  readonly streams?: Pick<VenueStreams, 'booksOf' | 'tradesOf' | 'infos'> | undefined;
  /** Called with a moment after which trades have happened. */
  readonly tradedAfter?: ((moment: Millis) => void) | undefined;
}

/** What a connection to the public data of any exchange needs. */
export interface FeedOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly polling: Polling;
  /** Symbols of the markets to trade. */
  readonly markets: readonly string[];
  readonly log: AdapterLog;
  /** Timeout and log of the start's repeated requests. */
  readonly start?: Pick<StartOptions, 'timeoutMs' | 'log'> | undefined;
  /** Repeats the requests of the start, instead of the retries that `start` describes. */
  readonly retry?: Retry | undefined;
}

/**
 * Connects to the public data only, for a paper run. Each request is repeated until the start's timeout. Rejects with a UserError if a market is not
 * listed, if the exchange cannot be reached in that time, and if the limit on requests leaves none for books. `close` ends its events.
 */
export async function connectPublicFeed(client: PublicClient, options: FeedOptions): Promise<PublicFeed> {
  const { clock, retry = retriesFor(client, options) } = options;
  const tools = pollTools(client, options);
  await readClock(client, retry);
  const found = await readListing(client, { clock, retry, symbols: options.markets });
  const closing = new ReplaySubject<void>(1);
  const events = publicEvents(tools, { ...found, client, times: polledTimes(client, tools) });
  return {
    markets: found.markets,
    tokens: found.listing.tokens,
    events: events.pipe(takeUntil(closing), share()),
    polls: tools.plan,
    history: historyOf(client),
    close: () => closing.next(),
  };
}

/** What the streams need, with the polls that they make. */
export interface PlannedTools extends StreamTools {
  readonly plan: PollPlan;
}

/** Returns what the streams need to poll, within the limits of the exchange. Throws a UserError `polling` if these leave no request for books. */
export function pollTools(
  { rules, clock: time }: PublicClient,
  { clock, rng, polling, markets }: Pick<FeedOptions, 'clock' | 'rng' | 'polling' | 'markets'>,
): PlannedTools {
  const plan = pollPlan(polling, markets.length, rules.polling);
  return { clock, ask: askWith({ clock, rng: rng.fork('polls'), plan }), polling: plan.intervals, dates: time?.dates, plan };
}

/** Returns the retries of a start: one deadline for all requests of a client. */
export const retriesFor = (
  { name, hintFor }: Pick<PublicClient, 'name' | 'hintFor'>,
  { clock, rng, log, start }: Pick<FeedOptions, 'clock' | 'rng' | 'log' | 'start'>,
): Retry => startRetries({ clock, rng: rng.fork('start'), log, ...start, what: name, hintFor });

/** Reads the exchange's clock, if it has one. */
export async function readClock({ clock }: PublicClient, retry: Retry): Promise<void> {
  if (clock !== undefined) await retry(() => clock.read());
}

/** Throws a UserError if one of the symbols is not listed. */
export async function readListing(
  client: PublicClient,
  { clock, retry, symbols }: { readonly clock: Clock; readonly retry: Retry; readonly symbols: readonly string[] },
): Promise<FoundListing> {
  let requestedAt: Millis = clock.now();
  const { markets: listed, tokens } = await retry(() => {
    requestedAt = clock.now();
    return client.listing();
  });
  const markets: Market[] = [];
  for (const symbol of symbols) {
    const market = listedMarket(listed, symbol);
    markets.push((await client.completed?.(market, retry)) ?? market); // one request after another
  }
  const all = listed.map((market) => markets.find(({ id }) => id === market.id) ?? market);
  return { listing: { markets: all, tokens }, requestedAt, markets };
}

/** Returns a function that reads past candles from the client, or builds them from its public trades. */
export const historyOf =
  (client: Pick<PublicClient, 'candles' | 'trades'>): PublicFeed['history'] =>
  (asked) =>
    client.candles?.(asked) ?? pastOfTrades(asked, (since) => client.trades(asked.market).pages(since));

/** Returns the polled time of the exchange; undefined if it has no clock. */
export const polledTimes = ({ clock }: PublicClient, { ask }: StreamTools): Observable<Answer<number>> | undefined =>
  clock && ask({ every: 'time', ask: () => clock.read(), priority: 'high' });

/** Returns a function that returns the latest second that the exchange's clock may show at a local time. */
export const secondsAtOf =
  ({ clock }: PublicClient) =>
  (moment: Millis): number => {
    if (clock === undefined) return Math.ceil(moment / 1_000);
    const { seconds, asked } = clock.latest();
    return seconds + 1 + Math.ceil((moment - asked) / 1_000);
  };

/** Returns the events of the public data: time, live info, listing, books and trades. */
export function publicEvents(tools: StreamTools, parts: FeedParts): Observable<MarketEvent> {
  const { client, markets, requestedAt, times } = parts;
  const readChanges = client.changesOf?.(markets) ?? (async () => changesIn(markets, specsOf(await client.listing())));
  return merge<MarketEvent[]>(
    times === undefined ? countedTimeEvents(tools, client.rules.orderLife * 1_000) : timeEvents(tools, times),
    infoEvents(tools, () => client.live(markets), parts.streams?.infos),
    ...(client.refresh === undefined
      ? []
      : [tools.ask({ every: client.refresh.everyMs, ask: client.refresh.ask, requests: 'several' }).pipe(ignoreElements())]),
    listingEvents(tools, { read: readChanges, markets, requestedAt }),
    ...markets.flatMap((market) => marketEvents(tools, market, parts)),
  );
}

const specsOf = ({ markets }: VenueListing): readonly MarketSpec[] => markets.map(({ spec }) => spec);

function marketEvents(tools: StreamTools, market: Market, { client, streams, tradedAfter }: FeedParts): Observable<MarketEvent>[] {
  const { maxUnchangedMs, revision } = client.rules;
  const sequence = new StuckSequence(tools.clock);
  const minutes = client.minutes?.bind(client, market);
  let count = 0;
  const readBook = async (): Promise<Book> => {
    const book = await client.book(market);
    return isNumbered(book) ? book : { ...book, updateId: String(++count) };
  };
  return [
    tradeEvents(tools, market, {
      tail: tailOf(client.trades(market), { overlapMs: OVERLAP, maxPages: MARKET_TRADE_PAGES }),
      requests: 'several',
      pushed: streams?.tradesOf?.(market),
      traded(trades, lastRound) {
        const moment = happenedAfter(trades, lastRound, client.rules); // a book older than that must still change
        sequence.happenedAfter(moment);
        tradedAfter?.(moment);
      },
    }),
    bookEvents(tools, market, {
      read: readBook,
      sequence,
      revisionOf: ({ updateId, bids, asks }) => (revision === 'number' ? updateId : JSON.stringify([bids, asks])),
      maxUnchangedMs,
      ...streams?.booksOf(market),
    }),
    ...(minutes === undefined ? [] : [candleEvents(tools, market, minutes)]),
  ];
}

const isNumbered = (book: Awaited<ReturnType<PublicClient['book']>>): book is Book => book.updateId !== undefined;
