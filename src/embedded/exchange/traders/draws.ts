// The random distributions of a market: heavy tails, and mean-reverting processes.
import type { Rng } from '../../../base/rng.ts';

/** Exchange time of one step of the flow, in seconds. */
export const STEP_SECONDS = 0.1;

/** Draws from a Pareto distribution: at least `least`, above x with probability (least / x)^tail, capped at `most`. The smaller `tail`, the heavier the tail. */
export const pareto = (rng: Rng, { least, tail, most }: { least: number; tail: number; most: number }): number =>
  Math.min(most, least * (1 - rng.next()) ** (-1 / tail));

/** Returns true at an average rate of `perSecond` per second, at most once per step. */
export const happens = (rng: Rng, perSecond: number): boolean => rng.next() < perSecond * STEP_SECONDS;

/** Returns the factor of an exponential decay over one step, with time constant `seconds`. */
export const decay = (seconds: number): number => Math.exp(-STEP_SECONDS / seconds);

/**
 * Returns a mean-reverting process around zero with the given standard deviation and time constant (Ornstein and Uhlenbeck, 1930; exact at the step).
 */
export function meanReverting(rng: Rng, { deviation, seconds }: { deviation: number; seconds: number }): () => number {
  const kept = decay(seconds);
  const added = deviation * Math.sqrt(1 - kept * kept);
  let value = 0;
  return () => {
    value = kept * value + added * rng.normal();
    return value;
  };
}
