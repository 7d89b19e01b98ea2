// What the hosted exchange shows everyone, polled: order books, trades, live info, and its time.
import { map, merge, type Observable, share, takeUntil, tap } from 'rxjs';
import type { Clock, Millis } from '../../base/clock.ts';
import type { BookSeen, HealthSeen, InfoSeen, MarketEvent, TimeSeen, TradesSeen } from '../../domain/event.ts';
import { compareIds } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { newest } from '../../streams/newest.ts';
import type { Feed, Token } from '../port.ts';
import type { HostedClient } from './client.ts';
import { type EngineTime, engineSeconds } from './engine-time.ts';
import { type Ask, maxAgeOf, type Polling } from './polling.ts';
import { bookOf, infosOf, tradeOf } from './snapshots.ts';
import { Standstill } from './standstill.ts';
import { LISTING_LAG, TradeTail } from './trade-tail.ts';
import { watch } from './watch.ts';

/** Older trades of a market that was not looked at for a while are of no use any more. */
const MARKET_TRADE_PAGES = 10;

export interface FeedOptions {
  readonly clock: Clock;
  readonly client: HostedClient;
  readonly ask: Ask;
  readonly polling: Polling;
  readonly time: EngineTime;
  /** The ones that are traded. */
  readonly markets: readonly Market[];
  readonly tokens: readonly Token[];
  readonly closing: Observable<void>;
  /** Told when others traded, later than this moment. */
  readonly tradedAfter: (moment: Millis) => void;
}

export function hostedFeed(options: FeedOptions): Feed {
  const { markets, tokens, closing } = options;
  const ofMarkets = markets.flatMap((market) => {
    const standstill = new Standstill(options.clock);
    return [tradeEvents(options, market, standstill), bookEvents(options, market, standstill)];
  });
  const events = merge<MarketEvent[]>(timeEvents(options), infoEvents(options), ...ofMarkets).pipe(takeUntil(closing), share());
  return { markets, tokens, events };
}

function timeEvents({ clock, client, ask, polling, time }: FeedOptions): Observable<TimeSeen | HealthSeen> {
  return ask({ everyMs: polling.timeMs, ask: async () => engineSeconds(await client.timestamp()), priority: 'high' }).pipe(
    tap((answer) => {
      if (answer.kind === 'seen') time.observe({ seconds: answer.value, asked: answer.asked });
    }),
    watch({
      clock,
      stream: 'time',
      what: "exchange's time",
      maxAgeMs: maxAgeOf(15_000, polling.timeMs),
      events: ({ at, asked, value }): TimeSeen[] => [{ kind: 'timeSeen', at, asked, engineSeconds: value }],
    }),
  );
}

function infoEvents({ clock, client, ask, polling, markets }: FeedOptions): Observable<InfoSeen | HealthSeen> {
  return ask({ everyMs: polling.liveMs, ask: async () => infosOf(markets, await client.marketsLive()) }).pipe(
    watch({
      clock,
      stream: 'info',
      what: 'market info',
      maxAgeMs: maxAgeOf(5_000, polling.liveMs),
      events: ({ at, asked, value }): InfoSeen[] => [{ kind: 'infoSeen', at, asked, infos: value }],
    }),
  );
}

function bookEvents({ clock, client, ask, polling }: FeedOptions, market: Market, standstill: Standstill): Observable<BookSeen | HealthSeen> {
  const everyMs = polling.orderBookMs;
  return ask({ everyMs, ask: async () => bookOf(market, await client.orderbook(market.id)) }).pipe(
    newest({ idOf: ({ updateId }) => updateId, compare: compareIds }),
    watch({
      clock,
      stream: 'book',
      market: market.id,
      what: 'order book',
      maxAgeMs: maxAgeOf(3_000, everyMs),
      standstill: { idOf: ({ updateId }) => standstill.mark(updateId), maxMs: maxAgeOf(1_000, everyMs) },
      events: ({ at, asked, value }): BookSeen[] => [{ kind: 'bookSeen', at, asked, book: value }],
    }),
  );
}

function tradeEvents({ clock, client, ask, polling, time, tradedAfter }: FeedOptions, market: Market, standstill: Standstill): Observable<TradesSeen | HealthSeen> {
  const everyMs = polling.tradesMs;
  const tail = new TradeTail({ client, clock, time, query: { marketId: market.id }, maxPages: MARKET_TRADE_PAGES });
  let before: Millis | undefined;
  return ask({ everyMs, ask: () => tail.read(), requests: 'several' }).pipe(
    watch({
      clock,
      stream: 'trades',
      market: market.id,
      what: 'market trades',
      maxAgeMs: maxAgeOf(5_000, everyMs),
      events: ({ at, asked, value }): TradesSeen[] => {
        const trades = tail.fresh(value).map(...);
      },
    }),
  );
}
