// Reads the trades of the hosted exchange, filtered by market, maker or taker, page by page within a time window.
import type { Clock, Millis } from '../../base/clock.ts';
import { memoizeLast } from '../../base/collections/memoize-last.ts';
import type { TradePages } from '../../exchange/kit/venue-client.ts';
import type { ListedTrade } from '../../wire/json/hosted.ts';
import type { HostedClient, TradesQuery } from './requests/client.ts';
import type { EngineTime } from './session/engine-time.ts';

/** Trade times may differ from engine time: a window that ends this far ahead of engine time contains every trade. */
const AHEAD: Millis = 86_400_000;

interface TradePagesOptions<T> {
  readonly client: Pick<HostedClient, 'trades'>;
  readonly clock: Clock;
  readonly time: EngineTime;
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
