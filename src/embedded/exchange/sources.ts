// Chooses the source of each market of the exchange: its recording, else the flow of other traders.
import type { Millis } from '../../base/clock.ts';
import { rngFrom } from '../../base/rng.ts';
import { recordedSource } from './recorded/playback.ts';
import type { Recording } from './recorded/recording.ts';
import type { MarketSource } from './state/market-source.ts';
import { flowOf } from './traders/flow.ts';
import { flowSource } from './traders/flow-market.ts';
import type { CreateFlow } from './traders/flow-port.ts';

export interface SourceOptions {
  /** Seed of all randomness of the other traders and the oracles. */
  readonly seed: string;
  /** The other traders of every market without a recording; false for none, and prices that move only by `setIndex`. */
  readonly flow?: CreateFlow | false | undefined;
  /** The time between two payments of funding in markets without a recording; an hour by default. */
  readonly fundingEvery?: Millis | undefined;
  /** By market id; markets without one have a flow. */
  readonly recordings?: readonly Recording[] | undefined;
}

/** Returns the source of each market, by id, all from one seed. */
export function sourcesOf(
  markets: number,
  { seed, flow = flowOf(), fundingEvery, recordings = [] }: SourceOptions,
): readonly MarketSource[] {
  const rng = rngFrom(seed).fork('flow');
  return Array.from({ length: markets }, (_, id) => {
    const recording = recordings[id];
    if (recording !== undefined) return recordedSource(recording);
    return flowSource(flow === false ? undefined : { create: flow, rng }, fundingEvery);
  });
}
