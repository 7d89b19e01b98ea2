// The points of a path inside a candle that is looked at several times: the price at each look, and the lowest and highest price between two looks.
import { type Rng, rngFrom } from '../../base/rng.ts';
import { CandleShapes, STEPS } from './candle-shapes.ts';

/** How much of the mean of log(range) the newest candle is. Fast enough to follow times of high and low volatility. */
const SLOW = 0.1;

/** From one look to the next: the lowest and the highest price in their order, and the price at the next look. */
export const POINTS_A_LOOK = 3;

interface Prices {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export class ShapedPoints {
  /** Times of the points as parts of the candle's length, the same for each candle: they reveal nothing. */
  readonly times: readonly number[];
  readonly #looks: number;
  readonly #rng: Rng;
  readonly #shapes = CandleShapes.library;
  readonly #way = new Float64Array(STEPS + 1);
  #logRange: number | undefined;

  /** `looks` a candle, which divide STEPS. One seed gives one way through each candle. */
  constructor(looks: number, seed: string) {
    this.#looks = looks;
    this.#rng = rngFrom(seed).fork('ways through candles');
    this.times = Array.from({ length: looks * POINTS_A_LOOK + 1 }, (_, point) => point / POINTS_A_LOOK / looks);
  }

  /** Puts the prices at `times` into the list: the first is the open, the last the close, and among them are the high and the low. */
  pricesOf({ open, high, low, close }: Prices, prices: number[]): void {
    prices.length = 0;
    const range = high - low;
    const lot = this.#rng.next();
    if (range === 0) {
      for (const _ of this.times) prices.push(open);
      return;
    }
    const size = Math.log(range) - (this.#logRange ?? Math.log(range));
    this.#logRange = (this.#logRange ?? Math.log(range)) + SLOW * size;
    this.#shapes.wayOf({ open: (open - low) / range, close: (close - low) / range, size }, lot, this.#way);
    prices.push(open);
    const part = STEPS / this.#looks;
    for (let look = 0; look < this.#looks; look++)
      this.#addPart(look * part, (look + 1) * part, (share) => prices.push(Math.round(low + range * share)));
    prices[prices.length - 1] = close;
  }

  /** The two extremes between two looks in their order, and the price at the second look. */
  #addPart(from: number, to: number, add: (share: number) => void): void {
    const way = this.#way;
    let [lowest, highest] = [from, from];
    for (let step = from + 1; step <= to; step++) {
      if (way[step]! < way[lowest]!) lowest = step;
      if (way[step]! > way[highest]!) highest = step;
    }
    add(way[Math.min(lowest, highest)]!);
    add(way[Math.max(lowest, highest)]!);
    add(way[to]!);
  }
}
