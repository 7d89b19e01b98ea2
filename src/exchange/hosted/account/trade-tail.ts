// Reads the newest trades of the hosted exchange, filtered by market, maker or taker, page by page within a time window.
import type { Clock, Millis } from '../../../base/clock.ts';
import { memoizeLast } from '../../../base/collections/memoize-last.ts';
import { compareIds } from '../../../domain/ids.ts';
import type { ListedTrade } from '../../../wire/json/hosted.ts';
import { type KeyedTrade, OVERLAP, readPages, TradeTail, type TradeTailOptions } from '../../kit/streams/trade-tail.ts';
import type { HostedClient, TradesQuery } from '../client/client.ts';
import type { EngineTime } from '../session/engine-time.ts';
import { ShownTrades } from './shown-trades.ts';

/** Maximum delay of the list behind execution. */
export const LISTING_LAG: Millis = 1_000;
/** Trade times may differ from engine time: a window that ends this far ahead of engine time contains every trade. */
const AHEAD: Millis = 86_400_000;

export interface HostedTailOptions<T> extends Pick<TradeTailOptions<T>, 'resume' | 'maxPages'> {
  readonly client: HostedClient;
  readonly clock: Clock;
  readonly time: EngineTime;
  readonly query: Pick<TradesQuery, 'marketId' | 'makerId' | 'takerId'>;
  /** Throws for an invalid trade. */
  readonly map: (trade: ListedTrade) => T;
}

/** Returns a tail that reads our trades, or those of a market, from GET /trades. */
export function tradeTail<T extends KeyedTrade>({ client, clock, time, query, map, resume, maxPages }: HostedTailOptions<T>): TradeTail<T> {
  const ofPage = memoizeLast((items: readonly ListedTrade[]) => items.filter((trade) => answers(trade, query)).map(map));
  const pages = async function* (since: Millis | undefined): AsyncGenerator<readonly T[]> {
    const until = Math.floor(time.estimate(clock.now())) * 1_000 + AHEAD;
    for await (const { items } of client.trades({ ...query, since, until })) yield ofPage(items);
  };
  const shown = new ShownTrades();
  return new TradeTail({
    async read(window) {
      const { since = 0, maxPages: limit } = window;
      const list = await readPages(pages(since === 0 ? undefined : since), window);
      if (limit === Number.POSITIVE_INFINITY) shown.take(list, { since, now: clock.now() });
      return list;
    },
    overlapMs: OVERLAP,
    order: oldestFirst,
    resume,
    maxPages,
  });
}

/** Guards against a server that ignores the filters of a query: trades of others must not count as ours. */
const answers = (trade: ListedTrade, query: HostedTailOptions<unknown>['query']): boolean =>
  (['marketId', 'makerId', 'takerId'] as const).every((key) => query[key] === undefined || trade[key] === query[key]);

/** Orders trades by time, then by id. */
export const oldestFirst = (a: KeyedTrade, b: KeyedTrade): number => a.time - b.time || compareIds(a.tradeId, b.tradeId);
