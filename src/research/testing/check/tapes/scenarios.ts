// Scripts of difficult markets: each begins calmly, followed by one event.
import { Market, type MarketSpec } from '../../../../bot/domain/market.ts';
import { ticks } from '../../../../bot/domain/numbers.ts';
import type { Tape } from '../../../../embedded/tape/reader.ts';
import { ScriptedMarket } from '../../scripted-market.ts';

/** Seconds of small moves before anything happens. */
export const CALM_SECONDS = 10;
const LAST_SECOND = 60;
/** A high rate for eight hours. */
export const FUNDING = 8e-4;

/** Writes one event into a script, after the calm seconds. */
type Scene = (script: Script) => void;

/** A script with prices as factors of the first price, rounded to the tick. */
export class Script {
  readonly #market: Market;
  readonly #script: ScriptedMarket;
  readonly #base: number;

  constructor({ spec, basePrice }: { readonly spec: MarketSpec; readonly basePrice: number }) {
    this.#market = new Market(spec);
    this.#script = new ScriptedMarket(spec);
    this.#base = basePrice;
  }

  /** Sets the book around a price. */
  price(second: number, factor: number): void {
    this.#script.price(second * 1_000, this.#at(factor));
  }

  marks(second: number, factor: number): void {
    this.#script.marks(second * 1_000, { mark: this.#at(factor) });
  }

  /** Sets one small level on each given side, at a distance `away` as a fraction of the price. */
  thin(second: number, { away, sides }: { readonly away: number; readonly sides: readonly ('bid' | 'ask')[] }): void {
    const level = (factor: number) => [
      { price: this.#at(factor), size: this.#market.size(this.#market.lots(200 / this.#base)) || this.#lot },
    ];
    this.#script.book(second * 1_000, {
      bids: sides.includes('bid') ? level(1 - away) : [],
      asks: sides.includes('ask') ? level(1 + away) : [],
    });
  }

  gap(second: number): void {
    this.#script.gap(second * 1_000);
  }

  /** Sets the funding rate for eight hours; no effect in a spot market. */
  funding(second: number, rate: number): void {
    if (this.#market.spec.kind === 'perp') this.#script.funding(second * 1_000, { rate });
  }

  tape(until: number = LAST_SECOND): Tape {
    this.#script.until(until * 1_000);
    return this.#script.tape();
  }

  get #lot(): number {
    return 1 / 10 ** this.#market.spec.sizeDecimals;
  }

  #at(factor: number): number {
    return this.#market.price(this.#market.ticksNear(this.#base * factor) ?? ticks(1));
  }
}

/** Moves of about a basis point and funding that longs pay, then no changes until the end. */
export function calm(script: Script): void {
  script.funding(0, FUNDING);
  for (let second = 0; second < CALM_SECONDS; second++) script.price(second, 1 + (second % 3) * 1e-4);
}

const jump =
  (factor: number): Scene =>
  (script) =>
    script.price(CALM_SECONDS, factor);

export const SCENES: Readonly<Record<string, Scene>> = {
  'still market': () => undefined,
  'gap up': jump(1.05),
  'gap down': jump(0.95),
  crash: (script) => {
    for (let second = 0; second <= 30; second++) script.price(CALM_SECONDS + second, 1 - second * 0.01);
  },
  'spike and back': (script) => {
    script.price(CALM_SECONDS, 1.08);
    script.price(CALM_SECONDS + 2, 1);
  },
  'one-sided book': (script) => {
    script.thin(CALM_SECONDS, { away: 1e-4, sides: ['bid'] });
    script.thin(CALM_SECONDS + 15, { away: 1e-4, sides: ['ask'] });
    script.price(CALM_SECONDS + 30, 1);
  },
  'thin book': (script) => script.thin(CALM_SECONDS, { away: 0.005, sides: ['bid', 'ask'] }),
  'stuck data': (script) => {
    script.gap(CALM_SECONDS);
    script.marks(CALM_SECONDS + 30, 1);
    script.price(CALM_SECONDS + 35, 1.01);
  },
  'funding spike': (script) => {
    script.funding(CALM_SECONDS, 0.01);
    script.price(CALM_SECONDS + 1, 1.001);
    script.funding(CALM_SECONDS + 20, -0.01);
    script.price(CALM_SECONDS + 21, 1);
  },
};

/** The factor by which each scene multiplies a random walk; candles are counted from the beginning of the scene. */
export const CANDLE_SCENES: Readonly<Record<string, (candle: number) => number>> = {
  'gap up': (candle) => (candle < 0 ? 1 : 1.05),
  'gap down': (candle) => (candle < 0 ? 1 : 0.95),
  crash: (candle) => 1 - Math.min(30, Math.max(0, candle)) * 0.01,
  'spike and back': (candle) => (candle === 0 || candle === 1 ? 1.08 : 1),
};
