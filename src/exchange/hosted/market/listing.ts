// The markets and tokens of the exchange, requested once.
import type { Clock, Millis } from '../../../base/clock.ts';
import type { Market } from '../../../domain/market.ts';
import { listedMarket } from '../../kit/listing.ts';
import type { Retry } from '../../kit/start-retries.ts';
import type { Token } from '../../port.ts';
import type { HostedClient } from '../client/client.ts';
import { kindOf } from './market-kind.ts';
import { type Directory, marketOf } from './snapshots.ts';

export interface Listing {
  /** The markets to trade, in the requested order. */
  readonly markets: readonly Market[];
  readonly directory: Directory;
  readonly tokens: readonly Token[];
  /** When the listing was requested. */
  readonly requestedAt: Millis;
}

/**
 * Reads GET /info, and determines for each market to trade whether it is perpetual or spot. Throws a UserError `market` for a symbol that is not
 * listed.
 */
export async function listingOf(
  { client, clock, retry }: { readonly client: HostedClient; readonly clock: Clock; readonly retry: Retry },
  symbols: readonly string[],
): Promise<Listing> {
  let requestedAt: Millis = clock.now();
  const info = await retry(() => {
    requestedAt = clock.now();
    return client.info();
  });
  const markets: Market[] = [];
  for (const symbol of symbols) {
    const row = listedMarket(info.markets, symbol);
    // Sequential: a different request must separate the statistics of two markets, see `shownKind`.
    markets.push(marketOf(row, await kindOf(row, info, { client, clock, retry })));
  }
  const others = info.markets.map((row) => marketOf(row, 'perp')); // only used to read positions, for which the kind does not matter
  const tokens = info.tokens.map(({ tokenId, symbol, decimals, weightBps }) => ({ tokenId, symbol, decimals, weightBps }));
  return { markets, requestedAt, directory: new Map([...others, ...markets].map((market) => [market.id, market])), tokens };
}
