// Polls the public data of the hosted exchange: order books, trades, live info, and time.
import { merge, type Observable, share, takeUntil } from 'rxjs';
import type { Millis } from '../../../base/clock.ts';
import { memoizeLast } from '../../../base/collections/memoize-last.ts';
import type { MarketEvent } from '../../../domain/event.ts';
import type { Market } from '../../../domain/market.ts';
import type { Answer } from '../../../streams/answer.ts';
import type { Orderbook } from '../../../wire/json/hosted.ts';
import { bookEvents, infoEvents, type StreamTools, timeEvents, tradeEvents } from '../../kit/streams/market-streams.ts';
import { StuckSequence } from '../../kit/streams/stuck-sequence.ts';
import { MARKET_TRADE_PAGES } from '../../kit/streams/trade-tail.ts';
import type { Feed, Token } from '../../port.ts';
import { LISTING_LAG, tradeTail } from '../account/trade-tail.ts';
import type { HostedClient } from '../client/client.ts';
import type { EngineTime } from '../session/engine-time.ts';
import { relistingEvents } from './relisting.ts';
import { bookOf, type Directory, infosOf, tradeOf } from './snapshots.ts';
import type { HostedStreams } from './streams.ts';

export interface FeedOptions extends StreamTools {
  readonly client: HostedClient;
  readonly time: EngineTime;
  /** The polled engine time in seconds, already observed by `time`. */
  readonly times: Observable<Answer<number>>;
  /** The markets that are traded; `directory` holds all that are listed. */
  readonly markets: readonly Market[];
  /** When the start requested the list of markets. */
  readonly requestedAt: Millis;
  readonly directory: Directory;
  readonly tokens: readonly Token[];
  /** Called after trades that happened later than `moment`. */
  readonly tradedAfter: (moment: Millis) => void;
  /** Books from the websocket, earlier than by polling. */
  readonly streams?: HostedStreams | undefined;
  readonly closing: Observable<void>;
}

export function hostedFeed({ markets, tokens, closing, ...options }: FeedOptions): Feed {
  const { client, times } = options;
  const events = merge<MarketEvent[]>(
    timeEvents(options, times),
    infoEvents(options, { read: async () => infosOf(markets, (await client.marketsLive()).markets), infosIn: (infos) => infos }),
    relistingEvents({ ...options, markets }),
    ...markets.flatMap((market) => marketEvents(options, market)),
  );
  return { markets, tokens, events: events.pipe(takeUntil(closing), share()) };
}

function marketEvents(options: Omit<FeedOptions, 'markets' | 'tokens' | 'closing'>, market: Market): Observable<MarketEvent>[] {
  const { client, clock, time, directory, tradedAfter, streams } = options;
  const sequence = new StuckSequence(clock);
  const query = { marketId: market.id };
  const tail = tradeTail({ client, clock, time, query, maxPages: MARKET_TRADE_PAGES, map: (trade) => tradeOf(trade, directory) });
  const read = memoizeLast((reply: Orderbook) => bookOf(market, reply));
  const trades = tradeEvents(options, market, {
    tail,
    requests: 'several',
    happenedAfter: (_, lastRound) => lastRound - LISTING_LAG,
    tradedAfter(moment) {
      sequence.happenedAfter(moment);
      tradedAfter(moment);
    },
  });
  const books = bookEvents(options, market, {
    read: async () => read(await client.orderbook(market.id)),
    sequence,
    revisionOf: ({ updateId }) => updateId,
    maxUnchangedMs: 1_000,
    ...streams?.booksOf(market),
  });
  return [trades, books];
}
