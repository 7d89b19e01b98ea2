// Builds one-minute candles: prices from the mark price, volume from the trades.
import type { Millis } from '../../../base/clock.ts';
import { MINUTE } from '../../../base/spans.ts';
import type { Candle } from '../../domain/candle.ts';
import { type Lots, lots, type Ticks, ticks } from '../../domain/numbers.ts';
import type { Trade } from '../../domain/order.ts';

interface Minute {
  readonly start: Millis;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
}

/** A trade counts for the minute in which it was received. A minute's volume is known if the trades were followed during the whole minute. */
export class Minutes {
  #current: Minute | undefined;
  /** Volumes by the start of the minute: of the current minute, and of earlier ones without a mark. */
  readonly #volumes = new Map<Millis, number>();
  /** Since when trades have been received without a gap. */
  #followed: Millis | undefined;

  /** Takes a mark, in order of time. Returns the candle of the previous minute if the mark starts a new one. */
  mark(mark: Ticks, at: Millis): Candle | undefined {
    const current = this.#current;
    const start = at - (at % MINUTE);
    if (current?.start !== start) {
      this.#current = { start, open: mark, high: mark, low: mark, close: mark };
      return current === undefined ? undefined : { ...current, volume: this.#takeVolume(current.start) };
    }
    if (mark !== current.close)
      this.#current = { ...current, high: ticks(Math.max(current.high, mark)), low: ticks(Math.min(current.low, mark)), close: mark };
    return undefined;
  }

  trades(trades: readonly Trade[], at: Millis): void {
    this.#followed ??= at;
    const start = at - (at % MINUTE);
    let volume = this.#volumes.get(start) ?? 0;
    for (const { size } of trades) volume += size;
    this.#volumes.set(start, volume);
  }

  /** Sets whether trades are received without a gap from now on. */
  follow(healthy: boolean, at: Millis): void {
    this.#followed = healthy ? (this.#followed ?? at) : undefined;
  }

  #takeVolume(start: Millis): Lots | undefined {
    const volume = this.#volumes.get(start) ?? 0;
    for (const minute of this.#volumes.keys()) if (minute <= start) this.#volumes.delete(minute);
    return this.#followed === undefined || this.#followed > start ? undefined : lots(volume);
  }
}
