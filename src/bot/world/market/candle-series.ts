// The finished candles of one length, built from candles of that length and of shorter ones.
import type { Millis } from '../../../base/clock.ts';
import type { Candle } from '../../domain/candle.ts';
import { type Lots, lots, type Ticks, ticks } from '../../domain/numbers.ts';

interface Building {
  readonly start: Millis;
  readonly open: Ticks;
  high: Ticks;
  low: Ticks;
  close: Ticks;
  volume: Lots | undefined;
}

export class CandleSeries {
  readonly span: Millis;
  /** Number of newest candles that are shown. */
  #kept: number;
  #added = 0;
  #restarts = 0;
  /** Oldest first. */
  #finished: Candle[] = [];
  #shown: readonly Candle[] | undefined;
  #building: Building | undefined;
  /** The end of the newest candle added; minus infinity before the first. */
  #until = Number.NEGATIVE_INFINITY;

  constructor(span: Millis, kept: number) {
    this.span = span;
    this.#kept = kept;
  }

  keep(count: number): void {
    this.#kept = Math.max(this.#kept, count);
  }

  /** Number of newest candles that are shown. */
  get kept(): number {
    return this.#kept;
  }

  /** Number of candles added since the last restart, including those no longer kept. */
  get added(): number {
    return this.#added;
  }

  /** Number of restarts; if it has changed, candles added earlier may have changed. */
  get restarts(): number {
    return this.#restarts;
  }

  get newest(): Candle | undefined {
    return this.#finished[this.#finished.length - 1];
  }

  /** The newest `count` of the kept candles, oldest first. */
  last(count: number): readonly Candle[] {
    return count === 0 ? [] : this.#finished.slice(-count);
  }

  /** Oldest first. The same list until a candle is added. */
  get finished(): readonly Candle[] {
    this.#shown ??= this.#finished.slice(-this.#kept);
    return this.#shown;
  }

  /**
   * Adds a finished candle whose length divides that of the series. Skipped if it starts before the end of an earlier one. The first candle of
   * the series is omitted if its beginning is missing.
   */
  add(candle: Candle, span: Millis): void {
    if (candle.start < this.#until) return;
    if (span === this.span) {
      this.#building = undefined;
      this.#push(candle);
    } else this.#extend(candle, candle.start - (candle.start % this.span), span);
  }

  /** Removes the candles that end after `start`, so that they can be built again from shorter ones. */
  restart(start: Millis): void {
    this.#finished = this.#finished.filter((candle) => candle.start + this.span <= start);
    this.#shown = undefined;
    this.#building = undefined;
    this.#restarts += 1;
    this.#added = this.#finished.length;
    const newest = this.#finished.at(-1);
    this.#until = newest === undefined ? Number.NEGATIVE_INFINITY : newest.start + this.span;
  }

  #extend(candle: Candle, start: Millis, span: Millis): void {
    let building = this.#building;
    if (building !== undefined && building.start !== start) {
      this.#push(building);
      building = undefined;
    }
    if (building === undefined) {
      if (this.#until === Number.NEGATIVE_INFINITY && candle.start !== start) return;
      const { open, high, low, close, volume } = candle;
      building = { start, open, high, low, close, volume };
    } else addTo(building, candle);
    this.#building = building;
    this.#until = candle.start + span;
    if (this.#until === start + this.span) {
      this.#building = undefined;
      this.#push(building);
    }
  }

  #push(candle: Candle): void {
    this.#finished.push(candle);
    this.#added += 1;
    this.#shown = undefined;
    this.#until = Math.max(this.#until, candle.start + this.span);
    if (this.#finished.length >= 2 * this.#kept) this.#finished = this.#finished.slice(-this.#kept);
  }
}

function addTo(building: Building, { high, low, close, volume }: Candle): void {
  building.high = ticks(Math.max(building.high, high));
  building.low = ticks(Math.min(building.low, low));
  building.close = close;
  building.volume = building.volume === undefined || volume === undefined ? undefined : lots(building.volume + volume);
}
