// Whether the exchange still lists our markets as it did at the start: with another tick or lot, the same numbers are another order.
import { type Observable, switchMap, timer } from 'rxjs';
import type { Millis } from '../../base/clock.ts';
import type { HealthSeen } from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { schedulerFrom } from '../../streams/scheduler.ts';
import type { StreamTools } from './streams/market-streams.ts';
import { maxAgeOf } from './streams/polling.ts';
import { withHealth } from './streams/with-health.ts';
import type { VenueListing } from './venue-client.ts';

/** The start has just looked itself. */
const EVERY: Millis = 15_000;

export interface ListingOptions {
  readonly read: () => Promise<VenueListing>;
  readonly markets: readonly Market[];
}

/** The health of the stream `listing`: as a whole while it can be read, and of each market while it is listed as it was. */
export function listingEvents({ clock, ask }: StreamTools, { read, markets }: ListingOptions): Observable<HealthSeen> {
  const changed = new Set<MarketId>();
  const looks = ask({ everyMs: EVERY, ask: read }).pipe(
    withHealth({
      clock,
      stream: 'listing',
      what: 'list of markets',
      maxAgeMs: maxAgeOf(60_000, EVERY),
      events: ({ at, value }): HealthSeen[] =>
        markets.flatMap(({ id, symbol, spec }): HealthSeen[] => {
          const now = value.markets.find((market) => market.symbol === symbol)?.spec;
          const healthy = JSON.stringify(now) === JSON.stringify(spec);
          if (healthy !== changed.has(id)) return [];
          if (healthy) changed.delete(id);
          else changed.add(id);
          const reason = healthy
            ? 'listed as it was'
            : `the exchange lists ${symbol} with other terms now: start the bot again to trade by them`;
          return [{ kind: 'healthSeen', at, stream: 'listing', market: id, healthy, reason }];
        }),
    }),
  );
  return timer(EVERY, schedulerFrom(clock)).pipe(switchMap(() => looks));
}
