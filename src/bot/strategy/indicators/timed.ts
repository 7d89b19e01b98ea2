// Indicators weighted by time, for irregular updates.
import type { Millis } from '../../../base/clock.ts';
import type { TimedIndicator } from './indicator.ts';

/**
 * Exponential average in which the weight of a value halves with each half-life; irregular updates are weighted by the time between them. No warm-up:
 * it starts at the first value.
 */
export function ewma(halfLifeMs: Millis): TimedIndicator<number> {
  let last: { readonly value: number; readonly at: Millis } | undefined;
  return {
    update(value, at) {
      const kept = last === undefined ? 0 : 2 ** (-(at - last.at) / halfLifeMs);
      last = { value: last === undefined ? value : value + kept * (last.value - value), at };
      return last.value;
    },
  };
}

/**
 * Realised volatility in basis points per square-root second: the root of squared log returns over the time they took, both averaged with the
 * half-life. Multiply by the root of the seconds ahead. Undefined until one half-life has passed since the first price.
 */
export function realisedVolatility(halfLifeMs: Millis): TimedIndicator<number | undefined> {
  let first: Millis | undefined;
  let last: { readonly log: number; readonly at: Millis } | undefined;
  let [squares, seconds] = [0, 0];
  return {
    update(price, at) {
      const log = Math.log(price);
      if (last !== undefined) {
        const kept = 2 ** (-(at - last.at) / halfLifeMs);
        squares = kept * squares + (log - last.log) ** 2;
        seconds = kept * seconds + (at - last.at) / 1000;
      }
      first ??= at;
      last = { log, at };
      return at - first < halfLifeMs ? undefined : 1e4 * Math.sqrt(squares / seconds);
    },
  };
}
