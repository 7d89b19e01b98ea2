// Builds candles from before the start out of the trades that the hosted exchange lists.
import type { Millis } from '../../../base/clock.ts';
import type { Trade } from '../../../domain/order.ts';
import { pastOfTrades } from '../../kit/past-trades.ts';
import type { CandleRequest, PastCandles } from '../../port.ts';
import type { HostedClient } from '../client/client.ts';
import { type Directory, tradeOf } from './snapshots.ts';

export function pastOf(
  asked: CandleRequest,
  { client, directory }: { readonly client: HostedClient; readonly directory: Directory },
): Promise<PastCandles> {
  const pages = async function* (since: Millis): AsyncGenerator<readonly Trade[]> {
    const query = { marketId: asked.market.id, since, until: asked.until };
    for await (const { items } of client.trades(query)) yield items.map((trade) => tradeOf(trade, directory));
  };
  return pastOfTrades(asked, pages);
}
