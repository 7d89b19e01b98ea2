// The finished candles of one length, put together from candles of that length and of shorter ones.
import type { Millis } from '../../base/clock.ts';
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
  /** How many of the newest are shown. */
  #kept: number;
  #added = 0;
  #restarts = 0;
  /** Oldest first. */
  #finished: Candle[] = [];
  #shown: readonly Candle[] | undefined;
  #building: Building | undefined;
  /** The end of the newest candle that was taken; minus infinity before the first. */
  #until = Number.NEGATIVE_INFINITY;

  constructor(span: Millis, kept: number) {
    this.span = span;
    this.#kept = kept;
  }

  keep(count: number): void {
    this.#kept = Math.max(this.#kept, count);
  }

  /** How many of the newest candles are shown. */
  get kept(): number {
    return this.#kept;
  }

  /** How many candles were added since the last restart, those included that are not kept any more. */
  get added(): number {
    return this.#added;
  }

  /** Changes when candles that were added before may have changed. */
  get restarts(): number {
    return this.#restarts;
  }

  get newest(): Candle | undefined {
    return this.#finished[this.#finished.length - 1];
  }

  /** The newest `count` of those that are kept, oldest first. */
  last(count: number): readonly Candle[] {
    return count === 0 ? [] : this.#finished.slice(-count);
  }

  /** Oldest first. The same list until a candle is added. */
  get finished(): readonly Candle[] {
    this.#shown ??= this.#finished.slice(-this.#kept);
    return this.#shown;
  }

  /**
   * Takes a finished candle of a length that divides the series' own. One that begins before the end of an earlier one is skipped. A window whose
   * beginning was not seen is left out.
   */
  add(candle: Candle, span: Millis): void {
    if (candle.start < this.#until) return;
    if (span === this.span) {
      this.#building = undefined;
      this.#push(candle);
    } else this.#extend(candle, candle.start - (candle.start % this.span), span);
  }

  /** Begins again with the candles that began before `start`, whose shorter candles are no longer known. */
  restart(start: Millis): void {
    this.#finished = this.#finished.filter((candle) => candle.start + this.span <= start);
    this.#shown = undefined;
    this.#building = undefined;
    this.#restarts += 1;
    this.#added = this.#finished.length;
    const newest = this.#finished.at(-1);
    this.#until = newest === undefined ? Number.NEGATIVE_INFINITY : newest.start + this.span;
  }

  #extend(candle: Candle, window: Millis, span: Millis): void {
    let building = this.#building;
    if (building !== undefined && building.start !== window) {
      this.#push(building);
      building = undefined;
    }
    if (building === undefined) {
      if (this.#until === Number.NEGATIVE_INFINITY && candle.start !== window) return;
      const { open, high, low, close, volume } = candle;
      building = { start: window, open, high, low, close, volume };
    } else extended(building, candle);
    this.#building = building;
    this.#until = candle.start + span;
    if (this.#until === window + this.span) {
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

function extended(building: Building, { high, low, close, volume }: Candle): void {
  building.high = ticks(Math.max(building.high, high));
  building.low = ticks(Math.min(building.low, low));
  building.close = close;
  building.volume = building.volume === undefined || volume === undefined ? undefined : lots(building.volume + volume);
}
