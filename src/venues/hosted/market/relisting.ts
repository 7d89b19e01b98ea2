// Checks that the exchange still lists our markets as at the start of the run: with other decimals, or as another kind, the same signed bytes are
// another order. The gate `data-age` holds a market that changed.
import type { MarketId } from '../../../domain/ids.ts';
import type { Market } from '../../../domain/market.ts';
import type { Info, MarketInfo } from '../../../wire/json/hosted.ts';
import type { HostedClient } from '../requests/client.ts';
import { KindWatch } from './market-kind.ts';

/** Returns a function that reads what has changed in each market since the start. Only a new run uses changed terms. */
export function changesOf(
  markets: readonly Market[],
  client: Pick<HostedClient, 'info' | 'marketsLive'>,
): () => Promise<ReadonlyMap<MarketId, string>> {
  const kinds = markets.map((market) => ({ market, watch: new KindWatch(market) }));
  return async () => {
    const info = await client.info();
    const isChanged = markets.some((market) => changeOf(market, info) !== undefined);
    // A change in the listing counts even if the next request fails.
    const live = isChanged ? await client.marketsLive().catch(() => undefined) : await client.marketsLive();
    const changes = kinds.map(({ market, watch }) => {
      const otherKind = live && watch.observe(live); // called for each market, because it counts the answers without funding
      return [market.id, changeOf(market, info) ?? otherKind] as const;
    });
    return new Map(changes.flatMap(([id, change]) => (change === undefined ? [] : [[id, change]])));
  };
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
