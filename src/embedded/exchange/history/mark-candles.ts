// Candles of the mark price, of several lengths.
import { DAY, type Millis, SECOND } from '../../../base/clock.ts';
import type { Candle as PriceCandle } from '../../../bot/domain/candle.ts';
import type { Ticks } from '../../../bot/domain/numbers.ts';

/**
 * One candle. It opens at the mark of its start and closes at the mark of its end, which is also the next one's open. The first candle opens at the
 * first mark, even if it began before the exchange; the newest closes at the newest mark.
 */
export type MarkCandle = Omit<PriceCandle, 'volume'>;

/** The lengths of candles that are kept; candles of several days are combined from days. */
const LENGTHS: readonly Millis[] = [15, 60, 300, 900, 3_600, 14_400, 86_400].map((seconds) => seconds * SECOND);

export class MarkCandles {
  readonly #series: ReadonlyMap<Millis, Series> = new Map(LENGTHS.map((length) => [length, new Series(length)]));

  /** Adds the mark at this time to the candles. Must be called at every step. */
  see(mark: Ticks, now: Millis): void {
    for (const series of this.#series.values()) series.see(mark, now);
  }

  /**
   * Returns the candles of a length, newest first; they begin at multiples of it since the Unix epoch. Empty unless it is a kept length or a number of days.
   */
  of(length: Millis): readonly MarkCandle[] {
    const kept = this.#series.get(length);
    if (kept !== undefined) return kept.candles();
    return length > 0 && length % DAY === 0 ? combined(this.#series.get(DAY)!.candles(), length) : [];
  }
}

const KEPT = 1_000;

/** The newest thousand candles of one length, or some more. */
class Series {
  readonly #length: Millis;
  /** Oldest first. */
  #candles: { -readonly [K in keyof MarkCandle]: MarkCandle[K] }[] = [];

  constructor(length: Millis) {
    this.#length = length;
  }

  see(mark: Ticks, now: Millis): void {
    const newest = this.#candles.at(-1);
    if (newest !== undefined) {
      if (mark > newest.high) newest.high = mark;
      if (mark < newest.low) newest.low = mark;
      newest.close = mark;
      if (now < newest.start + this.#length) return;
    }
    const start = now - (now % this.#length);
    if (this.#candles.length === 2 * KEPT) this.#candles = this.#candles.slice(KEPT);
    this.#candles.push({ start, open: mark, high: mark, low: mark, close: mark });
  }

  candles(): readonly MarkCandle[] {
    return this.#candles.map((candle) => ({ ...candle })).reverse();
  }
}

/** Combines short candles into long ones; both newest first. */
function combined(candles: readonly MarkCandle[], length: Millis): readonly MarkCandle[] {
  const long: MarkCandle[] = [];
  for (const { start: shortStart, open, high, low, close } of candles) {
    const start = shortStart - (shortStart % length);
    const later = long.at(-1);
    if (later?.start !== start) long.push({ start, open, high, low, close });
    else long[long.length - 1] = { ...later, open, high: Math.max(high, later.high) as Ticks, low: Math.min(low, later.low) as Ticks };
  }
  return long;
}
