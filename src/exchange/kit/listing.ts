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
import { maxAgeOf } from './streams/polling.ts';
import { withHealth } from './streams/with-health.ts';
import type { VenueListing } from './venue-client.ts';

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
  const checks = ask({ everyMs: EVERY, ask: read, requests: 'several' }).pipe(
    withHealth({
      clock,
      stream: 'listing',
      what: 'list of markets',
      maxAgeMs: maxAgeOf(60_000, EVERY),
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
  const known = markets.map(({ symbol }) => symbol);
  throw new UserError({ code: 'market', message: `the exchange has no market "${wanted}"`, hint: suggestion(wanted, known) });
}

/** Returns the changed markets in the listing of a client. */
export function changesIn(markets: readonly Market[], listing: VenueListing): ReadonlyMap<MarketId, string> {
  const changed = markets.filter(({ symbol, spec }) => {
    const now = listing.markets.find((market) => market.symbol === symbol)?.spec;
    return JSON.stringify(now) !== JSON.stringify(spec);
  });
  return new Map(
    changed.map(({ id, symbol }) => [
      id,
      `the exchange has changed the terms of ${symbol}, or no longer lists it: restart the bot to use the new terms`,
    ]),
  );
}
