// Checks that the exchange still lists our markets as at the start: with another tick or lot size, the same number of ticks or lots is another order.
import { defer, type Observable, switchMap, timer } from 'rxjs';
import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { suggestion } from '../../base/text/nearest.ts';
import type { HealthSeen } from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { schedulerFrom } from '../../streams/scheduler.ts';
import type { StreamTools } from './streams/market-streams.ts';
import { maxAgeOf, type Question } from './streams/polling.ts';
import { withHealth } from './streams/with-health.ts';
import type { VenueListing } from './venue-client.ts';

/** Interval of the checks. The first comes this long after the start's request. */
const EVERY: Millis = 15_000;

export interface ListingOptions<Listing> extends Pick<Question<Listing>, 'requests'> {
  readonly read: () => Promise<Listing>;
  readonly markets: readonly Market[];
  /** When the start requested the listing. A start can take long, and the machine may sleep meanwhile. */
  readonly requestedAt: Millis;
  /** Returns a text about what has changed in a market since the start; undefined if nothing. Called once per check for each market, in order. */
  readonly changeOf: (market: Market, listing: Listing) => string | undefined;
}

/** Emits the health of the stream `listing`: as a whole, whether it can be read; per market, whether it is listed as at the start. */
export function listingEvents<Listing>(
  { clock, ask }: Pick<StreamTools, 'clock' | 'ask'>,
  { read, requests, markets, requestedAt, changeOf }: ListingOptions<Listing>,
): Observable<HealthSeen> {
  const changed = new Map<MarketId, string | undefined>();
  const checks = ask({ everyMs: EVERY, ask: read, requests }).pipe(
    withHealth({
      clock,
      stream: 'listing',
      what: 'list of markets',
      maxAgeMs: maxAgeOf(60_000, EVERY),
      seenBefore: requestedAt,
      events: ({ at, value }): HealthSeen[] =>
        markets.flatMap((market): HealthSeen[] => {
          const reason = changeOf(market, value);
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
  const known = markets.map(({ symbol }) => symbol);
  throw new UserError({ code: 'market', message: `the exchange has no market "${wanted}"`, hint: suggestion(wanted, known) });
}

/** Returns the change of a market in the listing of a `VenueClient`; undefined if none. */
export function listingChange({ symbol, spec }: Market, { markets }: VenueListing): string | undefined {
  const now = markets.find((market) => market.symbol === symbol)?.spec;
  return JSON.stringify(now) === JSON.stringify(spec)
    ? undefined
    : `the exchange has changed the terms of ${symbol}, or no longer lists it: restart the bot to use the new terms`;
}
