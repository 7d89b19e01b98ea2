// Checks that the exchange still lists our markets as at the start of the run: with other decimals, or as another kind, the same signed bytes are
// another order. The gate `data-age` holds a market that changed.
import type { Observable } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import type { HealthSeen } from '../../../domain/event.ts';
import type { MarketId } from '../../../domain/ids.ts';
import type { Market } from '../../../domain/market.ts';
import type { Info, MarketInfo } from '../../../wire/json/hosted.ts';
import { listingEvents } from '../../kit/listing.ts';
import type { Ask } from '../../kit/streams/polling.ts';
import type { HostedClient } from '../client/client.ts';
import { KindWatch } from './market-kind.ts';

export interface RelistingOptions {
  readonly clock: Clock;
  readonly client: HostedClient;
  readonly ask: Ask;
  readonly markets: readonly Market[];
  /** When the start requested the list of markets. */
  readonly requestedAt: Millis;
}

/**
 * Emits the health of the stream `listing`: as a whole, whether it can be read; per market, whether it is listed as at the start. Only a new run uses
 * changed terms.
 */
export function relistingEvents({ client, markets, requestedAt, ...tools }: RelistingOptions): Observable<HealthSeen> {
  const kinds = new Map<MarketId, KindWatch>(markets.map((market) => [market.id, new KindWatch(market)]));
  return listingEvents(tools, {
    read: async () => {
      const info = await client.info();
      const isChanged = markets.some((market) => changeOf(market, info) !== undefined);
      // A change in the listing counts even if the next request fails.
      const live = isChanged ? await client.marketsLive().catch(() => undefined) : await client.marketsLive();
      return { info, live };
    },
    requests: 'several',
    markets,
    requestedAt,
    changeOf: (market, { info, live }) => {
      // Called first, because it counts the answers without funding.
      const otherKind = live && kinds.get(market.id)?.observe(live);
      return changeOf(market, info) ?? otherKind;
    },
  });
}

const TERMS = ['symbol', 'baseTokenId', 'quoteTokenId', 'priceDecimals', 'sizeDecimals', 'imf', 'cmf', 'mmf'] as const;

/** Returns a text about what has changed; undefined if nothing. */
export function changeOf({ id, symbol, spec }: Market, { markets }: Pick<Info, 'markets'>): string | undefined {
  const listed: MarketInfo | undefined = markets.find(({ marketId }) => marketId === id);
  if (listed === undefined) return `${symbol} is not listed any more`;
  const term = TERMS.find((name) => listed[name] !== spec[name]);
  return (
    term && `the exchange has changed ${term} of ${symbol} from ${spec[term]} to ${listed[term]}: restart the bot to use the new value`
  );
}
