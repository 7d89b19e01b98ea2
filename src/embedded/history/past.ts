// The past of a market of the embedded exchange: candles from before it began, made from a seed when somebody asks for them.
import type { Millis } from '../../base/clock.ts';
import { rngFrom } from '../../base/rng.ts';
import { type Candle, MINUTE } from '../../domain/candle.ts';
import { type Lots, lots, type Ticks, ticks } from '../../domain/numbers.ts';

export interface Past {
  readonly seed: string;
  /** Markets with different names have different pasts. */
  readonly symbol: string;
  /** The price at which the past ends: the close of its last minute. */
  readonly price: Ticks;
  /** When it ends. */
  readonly end: Millis;
}

/** Standard deviation of the price in a minute, as a fraction: about 36 % a year. */
const VOLATILITY = 0.0005;
/** Mean volume of a minute. */
const VOLUME = 10_000;

/** Returns the newest `count` candles of a length that have ended, oldest first. The same minutes make up the candles of every length. */
export function pastCandles({ seed, symbol, price, end }: Past, { span, count }: { span: Millis; count: number }): readonly Candle[] {
  const rng = rngFrom(seed).fork(`past of ${symbol}`);
  const windows: Candle[] = [];
  let close: number = price;
  let window: Candle | undefined;
  for (let start = end - (end % MINUTE) - MINUTE; ; start -= MINUTE) {
    const open = close / (1 + VOLATILITY * rng.normal());
    const [up, down] = [1 + (VOLATILITY * Math.abs(rng.normal())) / 2, 1 - (VOLATILITY * Math.abs(rng.normal())) / 2];
    const minute = {
      start,
      open: whole(open),
      high: whole(Math.max(open, close) * up),
      low: whole(Math.min(open, close) * down),
      close: whole(close),
      volume: lots(Math.round(2 * VOLUME * rng.next())),
    };
    close = open;
    const first = start - (start % span);
    if (window?.start === first) window = longer(window, minute);
    else {
      if (window !== undefined && windows.push(window) === count) return windows.reverse();
      window = first + span <= end ? { ...minute, start: first } : undefined;
    }
  }
}

const longer = (window: Candle, { open, high, low, volume }: Candle & { readonly volume: Lots }): Candle => ({
  start: window.start,
  open,
  high: ticks(Math.max(window.high, high)),
  low: ticks(Math.min(window.low, low)),
  close: window.close,
  volume: lots((window.volume ?? 0) + volume),
});

const whole = (price: number): Ticks => ticks(Math.max(1, Math.round(price)));
