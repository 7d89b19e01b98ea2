// Checks that the exchange still lists our markets as at the start: with another tick or lot size, the same number of ticks or lots is another order.
import { defer, type Observable, switchMap, timer } from 'rxjs';
import type { Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { schedulerFrom } from '../../../base/streams/scheduler.ts';
import { suggestion } from '../../../base/text/phrases.ts';
import type { HealthSeen } from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market, MarketSpec } from '../../domain/market.ts';
import type { StreamTools } from './streams/market-streams.ts';
import { maxAgeOf, STALE_AFTER } from './streams/polling.ts';
import { withHealth } from './streams/with-health.ts';

/** Interval of the checks. The first comes this long after the start's request. */
const EVERY: Millis = 15_000;

export interface ListingOptions {
  /** Reads what has changed since the start; unchanged markets are left out. */
  readonly read: () => Promise<ReadonlyMap<MarketId, string>>;
  readonly markets: readonly Market[];
  /** When the start requested the listing. A start can take long, and the machine may sleep meanwhile. */
  readonly requestedAt: Millis;
}

/** Emits the health of the stream `listing`: as a whole, whether it can be read; per market, whether it is listed as at the start. */
export function listingEvents(
  { clock, ask }: Pick<StreamTools, 'clock' | 'ask'>,
  { read, markets, requestedAt }: ListingOptions,
): Observable<HealthSeen> {
  const changed = new Map<MarketId, string | undefined>();
  const checks = ask({ every: EVERY, ask: read, requests: 'several' }).pipe(
    withHealth({
      clock,
      stream: 'listing',
      what: 'list of markets',
      maxAgeMs: maxAgeOf(STALE_AFTER.listing, EVERY),
      seenBefore: requestedAt,
      events: ({ at, value }): HealthSeen[] =>
        markets.flatMap((market): HealthSeen[] => {
          const reason = value.get(market.id);
          if (reason === changed.get(market.id)) return [];
          changed.set(market.id, reason);
          const healthy = reason === undefined;
          return [{ kind: 'healthSeen', at, stream: 'listing', market: market.id, healthy, reason: reason ?? 'listed as at the start' }];
        }),
    }),
  );
  return defer(() => timer(Math.max(0, requestedAt + EVERY - clock.now()), schedulerFrom(clock))).pipe(switchMap(() => checks));
}

/** Throws a UserError `market` for a symbol that is not listed. */
export function listedMarket<M extends { readonly symbol: string }>(markets: readonly M[], wanted: string): M {
  const market = markets.find(({ symbol }) => symbol === wanted);
  if (market !== undefined) return market;
  const symbols = markets.map(({ symbol }) => symbol);
  throw new UserError({ code: 'market', message: `the exchange has no market "${wanted}"`, hint: suggestion(wanted, symbols) });
}

/** Returns a text about what a listing has changed in each market; unchanged markets are left out. Only a new run uses changed terms. */
export const changesIn = (markets: readonly Market[], listed: readonly MarketSpec[]): ReadonlyMap<MarketId, string> =>
  new Map(
    markets.flatMap((market) => {
      const change = changeOf(market, listed);
      return change === undefined ? [] : [[market.id, change]];
    }),
  );

function changeOf({ symbol, spec }: Market, listed: readonly MarketSpec[]): string | undefined {
  const now = listed.find((market) => market.symbol === symbol);
  if (now === undefined) return `${symbol} is not listed any more`;
  const terms = Object.keys({ ...spec, ...now }) as (keyof MarketSpec)[];
  const term = terms.find((name) => now[name] !== spec[name]);
  return term && `the exchange has changed ${term} of ${symbol} from ${spec[term]} to ${now[term]}: restart the bot to use the new value`;
}
