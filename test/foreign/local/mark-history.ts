// Mark prices of the past and candles of them. The scripted price is a function of time, so nothing is recorded.
import type { Json } from '../json.ts';
import { type Listing, OtherTraders, priceOf } from '../market.ts';
import { timeText } from '../views.ts';
import { ApiError } from './api-error.ts';

/** Seconds after which the scripted price repeats: the least common multiple of its periods, 60 and 6.7. */
const PERIOD = 4_020;
const DAY = 86_400;
/** Days of candles before the start. */
const DAYS_OF_HISTORY = 90;
const SHORT_RESOLUTIONS: readonly unknown[] = [15, 60, 300, 900, 3_600, 14_400];

/** A range of candles, in seconds: of those that start between `from` and `to`, the newest `count` after `skip`. */
export interface CandleRange {
  readonly resolution: number;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly skip: number;
  readonly count: number;
}

export class MarkHistory {
  readonly listing: Listing;
  /** Ticks, by second of the period. */
  readonly #marks: readonly number[];
  readonly #firstSecond: number;

  constructor({ listing, seed, startedAt }: { listing: Listing; seed: string; startedAt: number }) {
    const others = new OtherTraders(listing, seed);
    const begin = Math.floor(startedAt / 1_000 / PERIOD) * PERIOD;
    this.listing = listing;
    this.#marks = Array.from({ length: PERIOD }, (_, second) => Math.round(others.mid((begin + second) * 1_000 - startedAt)));
    this.#firstSecond = Math.floor(startedAt / 1_000) - DAYS_OF_HISTORY * DAY;
  }

  /** Returns the mark price in ticks; `second` since the epoch. */
  markAt(second: number): number {
    return this.#marks[second % PERIOD] ?? Number.NaN;
  }

  /** Returns candles, oldest first. Includes the unfinished candle at `now` (seconds). */
  candles({ resolution, from = 0, to, skip, count }: CandleRange, now: number): Json {
    const newest = Math.floor(Math.min(to ?? now, now) / resolution) - skip;
    const starts = Array.from({ length: count }, (_, index) => (newest - index) * resolution);
    return starts
      .filter((start) => start >= Math.max(from, this.#firstSecond))
      .reverse()
      .map((start) => this.#candle(start, Math.min(start + resolution, now)));
  }

  #candle(start: number, end: number): Json {
    const price = (ticks: number): number => priceOf(this.listing, ticks);
    let [high, low] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let second = start; second <= Math.min(end, start + PERIOD); second++) {
      high = Math.max(high, this.markAt(second));
      low = Math.min(low, this.markAt(second));
    }
    const [open, close] = [this.markAt(start), this.markAt(end)];
    return { startTime: timeText(start * 1_000), open: price(open), close: price(close), high: price(high), low: price(low) };
  }
}

/** Seconds. */
export function resolutionIn(text: string | undefined): number {
  const resolution = Number(text);
  if (SHORT_RESOLUTIONS.includes(resolution)) return resolution;
  if (resolution > 0 && resolution % DAY === 0 && resolution <= 30 * DAY) return resolution;
  throw new ApiError('malformed', `there are no candles of ${text} seconds`);
}
