// A candle: one minute of a market's mark price.
import type { Millis } from '../base/clock.ts';
import type { Ticks } from './numbers.ts';

export const CANDLE_SPAN: Millis = 60_000;

/** Four hours of candles are kept. */
export const CANDLES_KEPT = 240;

export interface Candle {
  /** The beginning of a full minute. */
  readonly start: Millis;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
}
