// The options of a paper run: whose data it follows, and what it assumes.

import type { FeeRates } from '../../bot/domain/market.ts';
import type { Micros } from '../../bot/domain/numbers.ts';
import type { VenueOptions } from '../../bot/run/core/venue.ts';
import type { VenueKind } from '../../bot/run/venues/venue-kind.ts';
import type { LatencySpec } from '../adapter/latency.ts';
import type { QueueModel } from '../exchange/recorded/queue.ts';
export interface PaperAssumptions {
  /** If absent, the measured latency is used. */
  readonly latency?: LatencySpec | undefined;
  readonly queue?: QueueModel | undefined;
  readonly deposit?: Micros | undefined;
  readonly fees?: FeeRates | undefined;
  /** File of the tape; with several markets the symbol goes before the extension. Default: in the state directory. */
  readonly record?: string | undefined;
}

export interface PaperOptions extends VenueOptions {
  /** The public data of the exchange at `url`. */
  readonly connectFeed: NonNullable<VenueKind['feed']>;
  readonly url: string;
  readonly seed: string;
  readonly assumptions: PaperAssumptions;
  /** The state directory. */
  readonly directory: string;
  readonly onBug: (thrown: unknown) => void;
}
