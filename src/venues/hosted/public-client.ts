// The public data of the hosted exchange as the kit reads it.
import type { Clock, Millis } from '../../base/clock.ts';
import { memoizeLast } from '../../base/collections/recent.ts';
import type { Book } from '../../bot/domain/book.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import { Market } from '../../bot/domain/market.ts';
import type { PublicClient, TradePages } from '../../bot/exchange/kit/venue-client.ts';
import type { Token } from '../../bot/exchange/port.ts';
import type { HostedClient, TradesQuery } from '../client/hosted.ts';
import type { ListedTrade, Orderbook } from '../wire/json/hosted.ts';
import { changesOf, kindOf } from './market-kind.ts';
import { HOSTED_EXCHANGE } from './rules.ts';
import type { EngineTime } from './session/engine-time.ts';
import { bookOf, type Directory, directoryOf, infosOf, listingOf, tradeOf } from './snapshots.ts';

export interface HostedPublicOptions {
  readonly client: HostedClient;
  readonly clock: Clock;
  readonly time: EngineTime;
}

/** Returns the client of the public data: no wallet, no session, no account. */
export function hostedPublicClient({ client, clock, time }: HostedPublicOptions): PublicClient {
  let tokens: readonly Token[] = [];
  let directory: Directory = new Map();
  const readBooks = new Map<MarketId, (reply: Orderbook) => Book>();
  return {
    ...HOSTED_EXCHANGE,
    async listing() {
      const listing = listingOf(await client.info());
      tokens = listing.tokens;
      directory = directoryOf(listing.markets);
      return listing;
    },
    async completed(market, retry) {
      const kind = await kindOf(market, tokens, { client, clock, retry });
      return kind === 'perp' ? market : new Market({ ...market.spec, kind });
    },
    changesOf: (markets) => changesOf(markets, client),
    async book(market) {
      const reply = await client.orderbook(market.id);
      const read = readBooks.get(market.id) ?? memoizeLast((book: Orderbook) => bookOf(market, book));
      readBooks.set(market.id, read);
      return read(reply);
    },
    live: async (markets) => infosOf(markets, (await client.marketsLive()).markets),
    trades: (market) => tradePages({ client, clock, time, query: { marketId: market.id }, map: (trade) => tradeOf(trade, directory) }),
    clock: time,
  };
}

/** Trade times may differ from engine time: a window that ends this far ahead of engine time contains every trade. */
const AHEAD: Millis = 86_400_000;

interface TradePagesOptions<T> extends HostedPublicOptions {
  readonly query: Pick<TradesQuery, 'marketId' | 'makerId' | 'takerId'>;
  /** Throws for an invalid trade. */
  readonly map: (trade: ListedTrade) => T;
}

/** Returns the pages of our trades, or of those of a market, from GET /trades. */
export function tradePages<T>({ client, clock, time, query, map }: TradePagesOptions<T>): TradePages<T> {
  const ofPage = memoizeLast((items: readonly ListedTrade[]) => items.filter((trade) => answers(trade, query)).map(map));
  return {
    what: 'GET /trades',
    async *pages(since) {
      const until = Math.floor(time.estimate(clock.now())) * 1_000 + AHEAD;
      for await (const { items } of client.trades({ ...query, since, until })) {
        if (items[0] !== undefined) time.traded(Date.parse(items[0].time) / 1_000, clock.now());
        yield ofPage(items);
      }
    },
  };
}

/** Guards against a server that ignores the filters of a query: trades of others must not count as ours. */
const answers = (trade: ListedTrade, query: TradePagesOptions<unknown>['query']): boolean =>
  (['marketId', 'makerId', 'takerId'] as const).every((key) => query[key] === undefined || trade[key] === query[key]);
