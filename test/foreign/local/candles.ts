// The mark price of any moment, and candles of it: the script of prices has no memory, so its past needs no recording.
import type { Json } from '../json.ts';
import { Crowd, type Listing, priceOf } from '../market.ts';
import { timeText } from '../views.ts';
import { Problem } from './problem.ts';

/** Seconds after which the script repeats: the least common multiple of its swing (60) and its ripple (6.7). */
const PERIOD = 4_020;
const DAY = 86_400;
/** Since when there are candles. */
const DAYS_OF_HISTORY = 90;
const SHORT_RESOLUTIONS: readonly unknown[] = [15, 60, 300, 900, 3_600, 14_400];

/** Which candles, in seconds: the newest `count` after `skip`, of those that start within the span. */
export interface Span {
  readonly resolution: number;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly skip: number;
  readonly count: number;
}

export class Chart {
  readonly listing: Listing;
  /** Ticks, by the second of the period. */
  readonly #marks: readonly number[];
  readonly #firstSecond: number;

  constructor({ listing, seed, startedAt }: { listing: Listing; seed: string; startedAt: number }) {
    const crowd = new Crowd(listing, seed);
    const begin = Math.floor(startedAt / 1_000 / PERIOD) * PERIOD;
    this.listing = listing;
    this.#marks = Array.from({ length: PERIOD }, (_, second) => Math.round(crowd.mid((begin + second) * 1_000 - startedAt)));
    this.#firstSecond = Math.floor(startedAt / 1_000) - DAYS_OF_HISTORY * DAY;
  }

  /** Ticks, at a whole second since the epoch. */
  markAt(second: number): number {
    return this.#marks[second % PERIOD] ?? Number.NaN;
  }

  /** The oldest first; the window that `now` (seconds) lies in is there too, as far as it has come. */
  candles({ resolution, from = 0, to, skip, count }: Span, now: number): Json {
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
  throw new Problem('malformed', `there are no candles of ${text} seconds`);
}
