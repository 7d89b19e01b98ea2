// The public data of the hosted exchange, polled: order books, trades, live info, and its time.
import { merge, type Observable, share, takeUntil } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import { memoizeLast } from '../../../base/memoize-last.ts';
import type { BookSeen, HealthSeen, InfoSeen, MarketEvent, TimeSeen, TradesSeen } from '../../../domain/event.ts';
import { compareIds } from '../../../domain/ids.ts';
import type { Market } from '../../../domain/market.ts';
import type { Answer } from '../../../streams/answer.ts';
import { newest } from '../../../streams/newest.ts';
import type { Orderbook } from '../../../wire/hosted.ts';
import { type Ask, maxAgeOf, type Polling } from '../../kit/polling.ts';
import { StuckSequence } from '../../kit/stuck-sequence.ts';
import { withHealth } from '../../kit/with-health.ts';
import type { Feed, Token } from '../../port.ts';
import { LISTING_LAG, TradeTail } from '../account/trade-tail.ts';
import type { HostedClient } from '../client/client.ts';
import type { EngineTime } from '../session/engine-time.ts';
import { listingEvents } from './relisting.ts';
import { bookOf, type Directory, infosOf, tradeOf } from './snapshots.ts';

/** The most pages of trades that one poll reads: after a long silence the older trades of a market are no longer useful. */
const MARKET_TRADE_PAGES = 10;

export interface FeedOptions {
  readonly clock: Clock;
  readonly client: HostedClient;
  readonly ask: Ask;
  readonly polling: Polling;
  readonly time: EngineTime;
  /** The polled engine time in seconds, already observed by `time`. */
  readonly times: Observable<Answer<number>>;
  /** The markets that are traded; `directory` holds all that are listed. */
  readonly markets: readonly Market[];
  readonly directory: Directory;
  readonly tokens: readonly Token[];
  /** Called when trades were seen that happened later than this moment. */
  readonly tradedAfter: (moment: Millis) => void;
  readonly closing: Observable<void>;
}

export function hostedFeed(options: FeedOptions): Feed {
  const { markets, tokens, closing } = options;
  const ofMarkets = markets.flatMap((market) => {
    const standstill = new StuckSequence(options.clock);
    return [tradeEvents(options, market, standstill), bookEvents(options, market, standstill)];
  });
  const events = merge<MarketEvent[]>(timeEvents(options), infoEvents(options), listingEvents(options), ...ofMarkets).pipe(
    takeUntil(closing),
    share(),
  );
  return { markets, tokens, events };
}

function timeEvents({ clock, times, polling }: FeedOptions): Observable<TimeSeen | HealthSeen> {
  return times.pipe(
    withHealth({
      clock,
      stream: 'time',
      what: 'exchange time',
      maxAgeMs: maxAgeOf(15_000, polling.timeMs),
      events: ({ at, asked, value }): TimeSeen[] => [{ kind: 'timeSeen', at, asked, engineSeconds: value }],
    }),
  );
}

function infoEvents({ clock, client, ask, polling, markets }: FeedOptions): Observable<InfoSeen | HealthSeen> {
  const everyMs = polling.liveMs;
  return ask({ everyMs, ask: async () => infosOf(markets, (await client.marketsLive()).markets) }).pipe(
    withHealth({
      clock,
      stream: 'info',
      what: 'market info',
      maxAgeMs: maxAgeOf(5_000, everyMs),
      events: ({ at, asked, value }): InfoSeen[] => [{ kind: 'infoSeen', at, asked, infos: value }],
    }),
  );
}

function bookEvents(
  { clock, client, ask, polling }: FeedOptions,
  market: Market,
  standstill: StuckSequence,
): Observable<BookSeen | HealthSeen> {
  const everyMs = polling.orderBookMs;
  const read = memoizeLast((reply: Orderbook) => bookOf(market, reply));
  return ask({ everyMs, ask: async () => read(await client.orderbook(market.id)) }).pipe(
    newest({ idOf: ({ updateId }) => updateId, compare: compareIds }),
    withHealth({
      clock,
      stream: 'book',
      market: market.id,
      what: 'order book',
      maxAgeMs: maxAgeOf(3_000, everyMs),
      standstill: { idOf: ({ updateId }) => standstill.observe(updateId), maxMs: maxAgeOf(1_000, everyMs) },
      events: ({ at, asked, value }): BookSeen[] => [{ kind: 'bookSeen', at, asked, book: value }],
    }),
  );
}

/** A trade that is new in this round happened after the round before was requested. A book that is older than that must still change. */
function tradeEvents(options: FeedOptions, market: Market, standstill: StuckSequence): Observable<TradesSeen | HealthSeen> {
  const { client, clock, time, ask, polling, directory, tradedAfter } = options;
  const everyMs = polling.tradesMs;
  const query = { marketId: market.id };
  const tail = new TradeTail({ client, clock, time, query, maxPages: MARKET_TRADE_PAGES, map: (trade) => tradeOf(trade, directory) });
  let lastRound: Millis | undefined;
  return ask({ everyMs, ask: () => tail.read(), requests: 'several' }).pipe(
    withHealth({
      clock,
      stream: 'trades',
      market: market.id,
      what: 'list of trades',
      maxAgeMs: maxAgeOf(5_000, everyMs),
      events: ({ at, asked, value }): TradesSeen[] => {
        const trades = tail.takeNew(value);
        if (trades.length > 0 && lastRound !== undefined) {
          standstill.happenedAfter(lastRound - LISTING_LAG);
          tradedAfter(lastRound - LISTING_LAG);
        }
        lastRound = asked;
        return trades.length === 0 ? [] : [{ kind: 'tradesSeen', at, market: market.id, trades }];
      },
    }),
  );
}
