// A market's last twenty-four hours: volume, range and closes.
import { DAY, MINUTE, type Millis } from '../../../base/clock.ts';
import { type Lots, lots, type Micros, type Ticks } from '../../../bot/domain/numbers.ts';
import { SlidingWindow } from './sliding-window.ts';
import type { TradeEntry } from './trades.ts';

export interface DayStatistics {
  readonly volumeBase24h: Lots;
  /** Exact up to the safe integers; the volume of a recorded market can exceed them. */
  readonly volumeQuote24h: Micros;
  /** Prices of trades; undefined if there was none. */
  readonly high24h: Ticks | undefined;
  readonly low24h: Ticks | undefined;
  readonly close24h: Ticks | undefined;
  /** The last price of the twenty-four hours before. */
  readonly prevClose24h: Ticks | undefined;
}

/** The trades of five minutes. */
interface Bucket {
  base: number;
  quote: number;
  high: number;
  low: number;
  close: Ticks | undefined;
}

/** The volume and the prices of a market over a day, in steps of five minutes. */
export class Statistics {
  readonly #buckets = new SlidingWindow<Bucket>({
    span: 2 * DAY,
    width: 5 * MINUTE,
    empty: () => ({ base: 0, quote: 0, high: Number.NEGATIVE_INFINITY, low: Number.POSITIVE_INFINITY, close: undefined }),
  });

  add({ time, price, size }: Pick<TradeEntry, 'time' | 'price' | 'size'>, notional: Micros): void {
    const bucket = this.#buckets.at(time);
    bucket.base += size;
    bucket.quote += notional;
    bucket.high = Math.max(bucket.high, price);
    bucket.low = Math.min(bucket.low, price);
    bucket.close = price;
  }

  at(now: Millis): DayStatistics {
    const day = this.#buckets.between({ from: now - DAY, until: now });
    const before = this.#buckets.between({ from: now - 2 * DAY, until: now - DAY });
    const traded = day.length > 0;
    return {
      volumeBase24h: lots(day.reduce((sum, { base }) => sum + base, 0)),
      volumeQuote24h: day.reduce((sum, { quote }) => sum + quote, 0) as Micros,
      high24h: traded ? (Math.max(...day.map(({ high }) => high)) as Ticks) : undefined,
      low24h: traded ? (Math.min(...day.map(({ low }) => low)) as Ticks) : undefined,
      close24h: day.at(-1)?.close,
      prevClose24h: before.at(-1)?.close,
    };
  }
}
