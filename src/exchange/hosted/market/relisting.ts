// Checks that the exchange still lists our markets as it did when the run started: with other decimals, or as another kind, the same bytes are
// another order.
import { type Observable, switchMap, timer } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import type { HealthSeen } from '../../../domain/event.ts';
import type { MarketId } from '../../../domain/ids.ts';
import type { Market } from '../../../domain/market.ts';
import { schedulerFrom } from '../../../streams/scheduler.ts';
import type { Info, MarketInfo, MarketLiveInfo } from '../../../wire/json/hosted.ts';
import { type Ask, maxAgeOf } from '../../kit/streams/polling.ts';
import { withHealth } from '../../kit/streams/with-health.ts';
import type { HostedClient } from '../client/client.ts';
import { KindWatch } from './market-kind.ts';

/** The first look comes this long after the start, which has just looked itself. */
const EVERY: Millis = 15_000;

export interface RelistingOptions {
  readonly clock: Clock;
  readonly client: HostedClient;
  readonly ask: Ask;
  readonly markets: readonly Market[];
}

interface Look {
  readonly info: Info;
  readonly live: { readonly markets: readonly MarketLiveInfo[] };
}

/**
 * Emits the health of the stream `listing`: as a whole while it can be read, and per market while the market is listed as before. Only a new run
 * adopts other terms.
 */
export function listingEvents({ clock, client, ask, markets }: RelistingOptions): Observable<HealthSeen> {
  const changed = new Map<MarketId, string | undefined>();
  const watched = markets.map((market) => ({ market, kind: new KindWatch(market) }));
  const look = async (): Promise<Look> => ({ info: await client.info(), live: await client.marketsLive() });
  const looks = ask({ everyMs: EVERY, ask: look, requests: 'several' }).pipe(
    withHealth({
      clock,
      stream: 'listing',
      what: 'list of markets',
      maxAgeMs: maxAgeOf(60_000, EVERY),
      events: ({ at, value }): HealthSeen[] =>
        watched.flatMap(({ market, kind }) => {
          const otherKind = kind.look(value.live);
          const reason = changeOf(market, value.info) ?? otherKind;
          if (reason === changed.get(market.id)) return [];
          changed.set(market.id, reason);
          const healthy = reason === undefined;
          return [{ kind: 'healthSeen', at, stream: 'listing', market: market.id, healthy, reason: reason ?? 'listed as at the start' }];
        }),
    }),
  );
  return timer(EVERY, schedulerFrom(clock)).pipe(switchMap(() => looks));
}

const TERMS = ['symbol', 'baseTokenId', 'quoteTokenId', 'priceDecimals', 'sizeDecimals', 'imf', 'cmf', 'mmf'] as const;

/** Returns what has changed, in words; undefined if nothing has. */
export function changeOf({ id, symbol, spec }: Market, { markets }: Pick<Info, 'markets'>): string | undefined {
  const listed: MarketInfo | undefined = markets.find(({ marketId }) => marketId === id);
  if (listed === undefined) return `${symbol} is not listed any more`;
  const term = TERMS.find((name) => listed[name] !== spec[name]);
  return (
    term && `the exchange has changed ${term} of ${symbol} from ${spec[term]} to ${listed[term]}: restart the bot to use the new value`
  );
}
