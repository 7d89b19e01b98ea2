// A market: its specification, and the only conversion between decimals and ticks, lots and money.
import { assert } from '../base/assert.ts';
import { scale, unscale } from '../base/decimal.ts';
import type { MarketId, TokenId } from './ids.ts';
import { type Lots, lots, type Micros, micros, type Ticks, ticks } from './numbers.ts';
import type { Side } from './side.ts';

export interface MarketSpec {
  readonly id: MarketId;
  readonly symbol: string;
  readonly kind: 'perp' | 'spot';
  readonly baseTokenId: TokenId;
  readonly quoteTokenId: TokenId;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  /** Margin fractions, as the exchange states them: 0.05 is 5 %. */
  readonly imf: number;
  readonly cmf: number;
  readonly mmf: number;
}

const toPpm = (fraction: number): number => Math.round(fraction * 1e6);

export class Market {
  readonly spec: MarketSpec;
  readonly imfPpm: number;
  readonly cmfPpm: number;
  readonly mmfPpm: number;
  readonly #priceScale: number;
  readonly #sizeScale: number;
  readonly #microsPerUnit: number;

  constructor(spec: MarketSpec) {
    assert(spec.priceDecimals >= 0 && spec.sizeDecimals >= 0, `market ${spec.symbol}: negative decimals`);
    this.spec = spec;
    this.imfPpm = toPpm(spec.imf);
    this.cmfPpm = toPpm(spec.cmf);
    this.mmfPpm = toPpm(spec.mmf);
    this.#priceScale = 10 ** spec.priceDecimals;
    this.#sizeScale = 10 ** spec.sizeDecimals;
    this.#microsPerUnit = 10 ** (6 - spec.priceDecimals - spec.sizeDecimals);
  }

  get id(): MarketId {
    return this.spec.id;
  }

  get symbol(): string {
    return this.spec.symbol;
  }

  price(value: Ticks): number {
    return value / this.#priceScale;
  }

  size(value: Lots): number {
    return value / this.#sizeScale;
  }

  priceText(value: Ticks): string {
    return unscale(value, this.spec.priceDecimals);
  }

  sizeText(value: Lots): string {
    return unscale(value, this.spec.sizeDecimals);
  }

  /** Parses text that `priceText` wrote. */
  parsePrice(text: string): Ticks {
    return ticks(exact(text, this.spec.priceDecimals));
  }

  /** Parses text that `sizeText` wrote. */
  parseSize(text: string): Lots {
    return lots(exact(text, this.spec.sizeDecimals));
  }

  /**
   * The tick at which an order may rest for a price, rounded to the passive side: a bid down, an ask up. The rounding error of a double does not
   * count.
   */
  restAt(side: Side, price: number): Ticks {
    const steps = this.#steps(price, { scale: this.#priceScale, what: 'price' });
    return ticks(side === 'bid' ? Math.floor(steps) : Math.ceil(steps));
  }

  /** Whole lots of a size, rounded toward zero, with the same tolerance. */
  lots(size: number): Lots {
    return lots(Math.trunc(this.#steps(size, { scale: this.#sizeScale, what: 'size' })));
  }

  /** A price in ticks as the exchange reported it; undefined if it is not a positive price on the tick. */
  ticksOf(price: number): Ticks | undefined {
    const value = onStep(price, this.#priceScale);
    return value === undefined || value <= 0 ? undefined : ticks(value);
  }

  /** The ticks nearest to a price that may be off the tick (mark, index); undefined if it is not a positive finite price. */
  ticksNear(price: number): Ticks | undefined {
    const value = Math.round(price * this.#priceScale);
    return Number.isSafeInteger(value) && value > 0 ? (value as Ticks) : undefined;
  }

  /** A size in lots as the exchange reported it; undefined if it is negative or off the step. */
  lotsOf(size: number): Lots | undefined {
    const value = onStep(size, this.#sizeScale);
    return value === undefined || value < 0 ? undefined : lots(value);
  }

  /** Whole lots in a balance, rounded down, with the same tolerance as `lots`, so that each lot bought or sold changes it by exactly one. */
  wholeLots(amount: number): Lots {
    return lots(Math.floor(this.#steps(amount, { scale: this.#sizeScale, what: 'balance' })));
  }

  /** price × size in millionths of the quote token; exact if priceDecimals + sizeDecimals is at most 6, otherwise rounded to the nearest. */
  notional(price: Ticks, size: Lots): Micros {
    return micros(Math.round(price * size * this.#microsPerUnit));
  }

  #steps(value: number, { scale: factor, what }: { scale: number; what: string }): number {
    assert(Number.isFinite(value), `market ${this.symbol}: ${what} ${value} is not a finite number`);
    return onStep(value, factor) ?? value * factor;
  }
}

/** `value × factor` if that is an integer up to the rounding error of a double: 0.29 × 100 is 29. */
function onStep(value: number, factor: number): number | undefined {
  const scaled = value * factor;
  const rounded = Math.round(scaled);
  const noise = Math.max(1e-9, 16 * Number.EPSILON * Math.abs(scaled));
  return Number.isSafeInteger(rounded) && Math.abs(scaled - rounded) <= noise ? rounded : undefined;
}

function exact(text: string, decimals: number): number {
  const value = scale(text, decimals, 'exact');
  assert(value !== undefined, `${text} is not a decimal with at most ${decimals} places`);
  return Number(value);
}
