// Determines whether a market is perpetual or spot, which the exchange does not list: only a perpetual has funding, and only a listed token can be
// bought. Checks that the exchange still shows our markets as at the start: if terms or kind have changed, the same signed bytes mean another order.
// The gate `data-age` holds a market that changed.
import { type Clock, type Millis, sleep } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import type { Market, MarketSpec } from '../../bot/domain/market.ts';
import { changesIn } from '../../bot/exchange/kit/listing.ts';
import type { Retry } from '../../bot/exchange/kit/start-retries.ts';
import type { Token } from '../../bot/exchange/port.ts';
import type { HostedClient } from '../client/hosted.ts';
import type { MarketLiveInfo } from '../wire/json/hosted.ts';

type Kind = MarketSpec['kind'];

/** Statistics can be missing for a moment, so a market is spot only if two reads this far apart agree. */
const BETWEEN_READS: Millis = 1_000;

interface Parts {
  readonly client: HostedClient;
  readonly clock: Clock;
  readonly retry: Retry;
}

/**
 * Returns `perp` as soon as the exchange reports funding for the market; `spot` only if the base token is listed, and two reads of statistics and live
 * row show an index price and no funding. Retries while neither is the case. Rejects with a UserError `market` if the listing contradicts the data.
 */
export async function kindOf({ spec }: Market, tokens: readonly Token[], { client, clock, retry }: Parts): Promise<Kind> {
  const possible = possibleKinds(spec, tokens);
  const observe = (): Promise<Kind> => retry(() => shownKind(spec, client));
  let kind = await observe();
  if (kind === 'spot') {
    await sleep(clock, BETWEEN_READS);
    kind = await observe();
  }
  if (possible.has(kind)) return kind;
  throw new UserError({
    code: 'market',
    message: `the exchange shows ${spec.symbol} as a ${kind} market, but its listed base token or margin fractions do not fit`,
    hint: 'leave this market out until the exchange has corrected its listing',
  });
}

/**
 * Returns the kinds that the listing allows, by fields that are never missing: a spot market needs a listed base token, and a perpetual needs margin
 * fractions.
 */
function possibleKinds({ baseTokenId, quoteTokenId, imf, mmf }: MarketSpec, tokens: readonly Token[]): ReadonlySet<Kind> {
  const possible = new Set<Kind>();
  if (baseTokenId !== quoteTokenId && tokens.some(({ tokenId }) => tokenId === baseTokenId)) possible.add('spot');
  if (imf > 0 && mmf > 0) possible.add('perp');
  return possible;
}

/**
 * Returns the kind that the data shows; throws while it is unknown. Statistics do not name their market, so live rows are requested after each of
 * them: then a connection that is one answer behind cannot deliver the statistics of another market.
 */
async function shownKind({ id, symbol }: MarketSpec, client: HostedClient): Promise<Kind> {
  const { perpStats, indexPrice } = await client.stats(id);
  const row = liveRow(id, await client.marketsLive());
  if (perpStats !== undefined || (row !== undefined && showsFunding(row))) return 'perp';
  if (indexPrice === undefined || row?.indexPrice === undefined)
    throw new Error(`the exchange shows no prices of ${symbol} at present, so it is not known whether it is a perpetual or a spot market`);
  return 'spot';
}

/** Only a funding rate is evidence: every row has a mark price and a funding time. */
const showsFunding = ({ projectedFundingRate }: MarketLiveInfo): boolean => projectedFundingRate !== undefined;

const liveRow = (id: MarketId, { markets }: { readonly markets: readonly MarketLiveInfo[] }): MarketLiveInfo | undefined =>
  markets.find(({ marketId }) => marketId === id);

/** Number of consecutive reads without a funding rate after which a market no longer counts as perpetual: right after a payment there is none. */
const READS_WITHOUT = 12;

/** Returns a function that takes the live rows, and returns a text if the market's kind has changed since the start of the run. */
export function kindWatch({ id, symbol, spec }: Market): (live: { readonly markets: readonly MarketLiveInfo[] }) => string | undefined {
  let hadFunding = false;
  /** The number of reads since the last one with funding. */
  let readsWithout = 0;
  return (live) => {
    const row = liveRow(id, live);
    const funded = row !== undefined && showsFunding(row);
    hadFunding ||= funded;
    readsWithout = funded ? 0 : readsWithout + 1;
    if (spec.kind === 'spot') return funded ? `the exchange shows funding of ${symbol}, which was a spot market: ${RESTART}` : undefined;
    const lost = hadFunding && readsWithout >= READS_WITHOUT;
    return lost ? `the exchange shows no funding of ${symbol} any more, which was a perpetual: ${RESTART}` : undefined;
  };
}

const RESTART = 'restart the bot to trade it as its new kind';

/** Returns a function that reads what has changed in each market since the start. */
export function changesOf(
  markets: readonly Market[],
  client: Pick<HostedClient, 'info' | 'marketsLive'>,
): () => Promise<ReadonlyMap<MarketId, string>> {
  const watches = markets.map((market) => [market.id, kindWatch(market)] as const);
  const kinds = new Map(markets.map(({ id, spec }) => [id, spec.kind]));
  return async () => {
    const info = await client.info();
    const listed = info.markets.map(({ marketId: id, ...terms }) => ({ id, ...terms, kind: kinds.get(id) ?? 'perp' }));
    const changes = changesIn(markets, listed);
    // A change in the listing counts even if the next request fails.
    const live = changes.size > 0 ? await client.marketsLive().catch(() => undefined) : await client.marketsLive();
    const otherKinds = watches.flatMap(([id, watch]): [MarketId, string][] => {
      const change = live && watch(live); // called for each market, because it counts the answers without funding
      return change === undefined ? [] : [[id, change]];
    });
    return new Map([...otherKinds, ...changes]);
  };
}
