// The candles and funding rates of made-up markets, the same for the same name: what the stand-ins of exchanges answer.

/** Opening in milliseconds, then decimals. */
export interface PastCandle {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface MarketHistoryOptions {
  /** The price moves in this range around it. */
  readonly price?: number;
  /** The beginning of the history. */
  readonly begins: number;
  /** Candles that the exchange does not have: from, to (exclusive). */
  readonly holes?: readonly (readonly [number, number])[];
  readonly fundingMs?: number;
}

const MINUTE = 60_000;

const cents = (value: number): number => value / 100;

/** A price of cents that is a function of the time alone, so that any candle can be made at any moment. */
export class MarketHistory {
  readonly #options: MarketHistoryOptions;

  constructor(options: MarketHistoryOptions) {
    this.#options = options;
  }

  get begins(): number {
    return this.#options.begins;
  }

  /** The candles with openings from `from` to `to` (exclusive), at most `limit`. */
  candles(from: number, { to, span, limit }: { to: number; span: number; limit: number }): PastCandle[] {
    const { begins, holes = [] } = this.#options;
    const found: PastCandle[] = [];
    for (let time = Math.ceil(Math.max(from, begins) / span) * span; time < to && found.length < limit; time += span) {
      const hole = holes.find(([start, end]) => time >= start && time < end);
      if (hole === undefined) found.push(this.#candle(time, span));
      else time = hole[1] - span;
    }
    return found;
  }

  /** Times and rates from `from` to `to` (exclusive). */
  funding(from: number, { to, limit }: { to: number; limit: number }): { time: number; rate: number }[] {
    const { begins, fundingMs = 8 * 3_600_000 } = this.#options;
    const found: { time: number; rate: number }[] = [];
    for (let time = Math.ceil(Math.max(from, begins) / fundingMs) * fundingMs; time < to && found.length < limit; time += fundingMs)
      found.push({ time, rate: Math.round(Math.sin(time / 7e7) * 1_000) / 1e7 });
    return found;
  }

  #candle(time: number, span: number): PastCandle {
    const [open, close] = [this.#price(time), this.#price(time + span)];
    const reach = 3 + (Math.floor(time / MINUTE) % 7);
    const [high, low] = [Math.max(open, close) + reach, Math.min(open, close) - reach];
    const volume = (1_000 + ((time / MINUTE) % 977)) / 1_000;
    return { time, open: cents(open), high: cents(high), low: cents(low), close: cents(close), volume };
  }

  #price(time: number): number {
    const { price = 100 } = this.#options;
    const minutes = time / MINUTE;
    const move = 0.03 * Math.sin(minutes / 700) + 0.004 * Math.sin(minutes / 13) + 0.001 * Math.sin(minutes * 1.7);
    return Math.round(price * 100 * (1 + move));
  }
}
