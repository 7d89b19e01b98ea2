// The embedded exchange as a venue, with simulated polling and latency.
// Files: `feed.ts` and `own-events.ts` poll, `gateway.ts` sends actions, `network.ts` and `latency.ts` simulate the latency, `lags.ts` reads the
// latency from a recording.

import { ReplaySubject } from 'rxjs';
import { assert } from '../../base/errors.ts';
import { DEFAULT_ORDER_LIFE } from '../../bot/domain/action.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import type { ConnectOptions } from '../../bot/exchange/kit/connect.ts';
import { listedMarket } from '../../bot/exchange/kit/listing.ts';
import { NO_WRITE_AHEAD } from '../../bot/exchange/kit/sending/outgoing.ts';
import { pollPlan } from '../../bot/exchange/kit/streams/polling.ts';
import type { Venue } from '../../bot/exchange/port.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RecordedCandles } from '../exchange/recorded/recorded-candles.ts';
import { embeddedFeed } from './feed.ts';
import { EmbeddedGateway } from './gateway.ts';
import type { Latencies } from './latency.ts';
import { Looks } from './looks.ts';
import { EmbeddedNetwork } from './network.ts';
import type { VenueContext } from './venue-context.ts';

export interface EmbeddedVenueOptions extends Pick<ConnectOptions, 'clock' | 'markets' | 'polling' | 'writeAhead' | 'resume'> {
  /** Must be at the clock's time or before it; nothing else may move it. */
  readonly exchange: Exchange;
  readonly account: AccountId;
  /** From 0 to 1: how long each poller waits before its first request, as a share of its interval; 0 by default. */
  readonly phase?: number | undefined;
  readonly latency: Latencies;
  /** By market id: the candles of the markets, if all follow tapes of candles. Data is then requested at the boundaries of candles instead of polled. */
  readonly candles?: readonly (RecordedCandles | undefined)[] | undefined;
  /** By market id: the candles that are played, if the shown ones are longer. */
  readonly shorterCandles?: readonly (RecordedCandles | undefined)[] | undefined;
}

export interface EmbeddedVenue extends Venue {
  /** Set for tapes of candles. */
  readonly looks: Looks | undefined;
}

/**
 * Returns the embedded exchange as a venue. It is synchronous: it runs in timers of the clock and awaits no promise. The exchange is advanced to the clock's
 * time when a request arrives, never further. No request fails or is lost. Throws a UserError `market` for a symbol that is not listed.
 */
export function embeddedVenue({
  exchange,
  clock,
  account,
  markets,
  polling,
  phase = 0,
  latency,
  candles = [],
  shorterCandles = [],
  writeAhead = NO_WRITE_AHEAD,
  resume,
}: EmbeddedVenueOptions): EmbeddedVenue {
  assert(phase >= 0 && phase <= 1, `a phase of ${phase} is not between 0 and 1`);
  const closing = new ReplaySubject<void>(1);
  const network = new EmbeddedNetwork({ exchange, clock, latency });
  const played = candles.map((shown, id) => shorterCandles[id] ?? shown);
  const looks = played.some((candles) => candles !== undefined) ? new Looks({ exchange, clock, network, candles: played }) : undefined;
  const plan = pollPlan(polling, markets.length);
  const context: VenueContext = {
    exchange,
    clock,
    network,
    account,
    markets: markets.map((symbol) => listedMarket(exchange.markets, symbol)),
    polling: plan.intervals,
    phase,
    candles,
    shorterCandles,
    looks,
    writeAhead,
    resume,
    closing,
  };
  const rules = { orderLife: DEFAULT_ORDER_LIFE, absence: 'accounts' } as const;
  const feed = { ...embeddedFeed(context), polls: plan };
  return { feed, gateway: new EmbeddedGateway(context, () => closing.next()), rules, isInProcess: true, looks };
}
