// Returns the options of the exchange of recorded markets, and creates its venue, for backtests and paper runs alike, so that the same rows give the
// same turns.
import { type Clock, every, type Millis, SECOND } from '../../base/clock.ts';
import { rngFrom } from '../../base/rng.ts';
import type { FeeRates } from '../../bot/domain/market.ts';
import { type LatencySpec, type LatencyTools, latenciesOf } from '../adapter/latency.ts';
import { type EmbeddedVenue, type EmbeddedVenueOptions, embeddedVenue } from '../adapter/venue.ts';
import type { Exchange, ExchangeOptions } from '../exchange/exchange.ts';
import type { CandlePathOptions } from '../exchange/recorded/candle-path.ts';
import type { QueueModel } from '../exchange/recorded/queue.ts';
import type { RowFeed } from '../exchange/recorded/recording.ts';
import { listingOf, type Playable } from './tapes.ts';

/** The user of the simulated account. */
export const TRADER = 'backtest';

export interface RecordedMarkets {
  readonly seed: string;
  readonly tapes: readonly Playable[];
  /** The rows of each tape, in the same order. */
  readonly feeds: readonly RowFeed[];
  readonly start: Millis;
  /** The position of our orders in the queue of recorded ones. */
  readonly queue: QueueModel;
  /** How the candles of tapes of candles are played. */
  readonly candles?: CandlePathOptions | undefined;
  /** Default: the fee brackets of the exchange. */
  readonly fees?: FeeRates | undefined;
}

/** Returns the options of an exchange with these markets. */
export const exchangeOptions = ({ seed, tapes, feeds, start, queue, candles, fees }: RecordedMarkets): ExchangeOptions => ({
  seed,
  start,
  ...listingOf(tapes),
  recordings: feeds.map((rows, index) => {
    // Only the HTTP API shows the statistics, and nothing serves it here.
    return { rows, queue, statistics: false, candles, fundingInterval: tapes[index]?.header.fundingIntervalMs };
  }),
  fees,
});

/**
 * Simulates the activity of other accounts: increments the action count once per `pace` seconds, and with it the update number of account snapshots.
 * Without it, the number would stand still while we send nothing, and no snapshot could prove anything: one with an unchanged number may be old.
 */
export const countOthers = (exchange: Exchange, clock: Clock, pace = 1): void =>
  void every(clock, SECOND * pace, () => exchange.countAction());

export interface RecordedVenueOptions extends Omit<EmbeddedVenueOptions, 'latency' | 'markets'>, Pick<LatencyTools, 'lags'> {
  readonly seed: string;
  readonly latency: LatencySpec;
}

/** The venue of all markets of the exchange; its latencies are drawn from the seed. */
export function recordedVenue({ seed, latency, lags, ...options }: RecordedVenueOptions): EmbeddedVenue {
  const { exchange, clock } = options;
  const markets = exchange.markets.map(({ symbol }) => symbol);
  return embeddedVenue({ ...options, markets, latency: latenciesOf(latency, { rng: rngFrom(seed).fork('latency'), clock, lags }) });
}
