// A market: its specification, and the only conversion between decimals and ticks or lots.
import { AssertionError, assert } from '../../base/errors.ts';
import { scale, unscale } from '../../base/text/decimal.ts';
import type { Book, Side } from './book.ts';
import type { MarketId, TokenId } from './ids.ts';
import { type Lots, lots, type Micros, micros, type Ticks, ticks } from './numbers.ts';

/** A spot market, in which only tokens of the account can be sold, or a perpetual future. */
export type MarketKind = 'perp' | 'spot';

/** The specification of a market, as the exchange lists it. */
export interface MarketSpec {
  readonly id: MarketId;
  readonly symbol: string;
  readonly kind: MarketKind;
  readonly baseTokenId: TokenId;
  readonly quoteTokenId: TokenId;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  /** The tick in units of 10^-priceDecimals: 25 with two decimals is a tick of 0.25. 1 if absent. */
  readonly priceStep?: number | undefined;
  /** The most significant figures of a price that is no whole number: with 5, 1234.5 and 123456 are prices, and 1234.56 is none. Any number if absent. */
  readonly priceFigures?: number | undefined;
  /** The lot in units of 10^-sizeDecimals. 1 if absent. */
  readonly sizeStep?: number | undefined;
  /** The exchange takes no order worth less than this at its price, in quote money, unless it reduces a perpetual position. No such rule if absent. */
  readonly minNotional?: number | undefined;
  /** The size of an order is a multiple of this many lots. 1 if absent; more where a fee in the base token makes balances finer than orders. */
  readonly orderLots?: number | undefined;
  /** Set if the fee of a spot purchase is taken from the tokens that are bought; absent: every fee is quote money. */
  readonly buyFee?: 'base' | undefined;
  /** Hours from one payment of funding to the next, to which the exchange's rate applies. 1 if absent. */
  readonly fundingHours?: number | undefined;
  /** The fraction that is needed to open a position. All margin fractions are as the exchange states them: 0.05 is 5 %. */
  readonly imf: number;
  /** The fraction at which resting orders are cancelled; absent if the margin model of the exchange has no such level. */
  readonly cmf?: number | undefined;
  /** The fraction at which positions are liquidated. */
  readonly mmf: number;
}

/**
 * The maximum sum of price decimals and order-size decimals of a simulated market. With more than 6, a lot at one tick is worth less than a millionth of the
 * quote token, so amounts of money are rounded to the nearest millionth, once for each fill.
 */
export const MAX_DECIMALS = 8;

const toPpm = (fraction: number): number => Math.round(fraction * 1e6);

/** A market by its specification. Prices are in ticks and sizes in lots; only this class converts decimals. */
export class Market {
  readonly spec: MarketSpec;
  readonly imfPpm: number;
  /** Undefined if the margin model has no cancel level. */
  readonly cmfPpm: number | undefined;
  readonly mmfPpm: number;
  readonly #price: Grid;
  readonly #size: Grid;
  readonly #microsPerUnit: number;

  constructor(spec: MarketSpec) {
    const { priceStep = 1, sizeStep = 1 } = spec;
    assert(spec.priceDecimals >= 0 && spec.sizeDecimals >= 0, `market ${spec.symbol}: negative decimals`);
    assert(
      spec.priceFigures === undefined || isStep(spec.priceFigures),
      `market ${spec.symbol}: significant figures that are no whole number`,
    );
    const { orderLots = 1 } = spec;
    assert(isStep(priceStep) && isStep(sizeStep) && isStep(orderLots), `market ${spec.symbol}: a step that is not a whole number above 0`);
    assert(spec.buyFee === undefined || spec.kind === 'spot', `market ${spec.symbol}: a fee in base tokens in a market that has none`);
    this.spec = spec;
    this.imfPpm = toPpm(spec.imf);
    this.cmfPpm = spec.cmf === undefined ? undefined : toPpm(spec.cmf);
    this.mmfPpm = toPpm(spec.mmf);
    this.#price = { decimals: spec.priceDecimals, scale: 10 ** spec.priceDecimals, step: priceStep };
    this.#size = { decimals: spec.sizeDecimals, scale: 10 ** spec.sizeDecimals, step: sizeStep };
    this.#microsPerUnit = 10 ** (6 - spec.priceDecimals - spec.sizeDecimals) * priceStep * sizeStep;
  }

  get id(): MarketId {
    return this.spec.id;
  }

  get symbol(): string {
    return this.spec.symbol;
  }

  price(value: Ticks): number {
    return (value * this.#price.step) / this.#price.scale;
  }

  size(value: Lots): number {
    return (value * this.#size.step) / this.#size.scale;
  }

  priceText(value: Ticks): string {
    return unscale(value * this.#price.step, this.#price.decimals);
  }

  sizeText(value: Lots): string {
    return unscale(value * this.#size.step, this.#size.decimals);
  }

  /** Parses text that `priceText` wrote. */
  parsePrice(text: string): Ticks {
    return ticks(exact(text, this.#price));
  }

  /** Parses text that `sizeText` wrote. */
  parseSize(text: string): Lots {
    return lots(exact(text, this.#size));
  }

  /** True if both texts are on the tick and the lot of this market. */
  isOnGrid({ price, size }: { readonly price: string; readonly size: string }): boolean {
    return wholeSteps(price, this.#price) !== undefined && wholeSteps(size, this.#size) !== undefined;
  }

  /**
   * The tick at which an order may rest for a price, rounded to the passive side: a bid down, an ask up, to the significant figures that the exchange
   * takes. The rounding error of a double is ignored: 0.29 is 29 ticks of 0.01.
   */
  restAt(side: Side, price: number): Ticks {
    const steps = this.#steps(price, this.#price, 'price');
    const round = side === 'bid' ? Math.floor : Math.ceil;
    const whole = round(steps);
    const stride = this.#strideAt(whole);
    return ticks(stride === 1 ? whole : round(whole / stride) * stride);
  }

  /** True if the price has no more significant figures than the exchange takes. */
  isOrderPrice(price: Ticks): boolean {
    return price % this.#strideAt(price) === 0;
  }

  /** The distance of two neighbouring prices that an order may have, at a price: the tick, or more if significant figures are limited. */
  stepAt(price: Ticks): Ticks {
    return ticks(this.#strideAt(price));
  }

  /** True if the exchange takes an order of this value. */
  isWorthEnough(price: Ticks, size: Lots): boolean {
    const { minNotional } = this.spec;
    return minNotional === undefined || this.price(price) * this.size(size) >= minNotional * (1 - 1e-12);
  }

  /** The size of an order: whole lots, rounded toward zero to what an order may have. The rounding error of a double is ignored. */
  lots(size: number): Lots {
    return this.orderSize(lots(Math.trunc(this.#steps(size, this.#size, 'size'))));
  }

  /** Rounds toward zero to a size that an order may have. */
  orderSize(size: Lots): Lots {
    const { orderLots = 1 } = this.spec;
    return orderLots === 1 ? size : lots(Math.trunc(size / orderLots) * orderLots);
  }

  /** True if an order may have this size. */
  isOrderSize(size: Lots): boolean {
    return size % (this.spec.orderLots ?? 1) === 0;
  }

  /** The number of decimals of an order's size. */
  get orderDecimals(): number {
    const { sizeDecimals, orderLots = 1 } = this.spec;
    return Math.max(0, sizeDecimals - Math.floor(Math.log10(orderLots) + 1e-9));
  }

  /** A price in ticks as the exchange reported it; undefined if it is not a positive price on the tick. */
  ticksOf(price: number): Ticks | undefined {
    const value = onStep(price, this.#price);
    return value === undefined || value <= 0 ? undefined : ticks(value);
  }

  /** The ticks nearest to a price that may be off the tick (mark, index); undefined if it is not a positive finite price. */
  ticksNear(price: number): Ticks | undefined {
    const value = Math.round((price * this.#price.scale) / this.#price.step);
    return Number.isSafeInteger(value) && value > 0 ? (value as Ticks) : undefined;
  }

  /** A size in lots as the exchange reported it; undefined if it is negative or off the step. */
  lotsOf(size: number): Lots | undefined {
    const value = onStep(size, this.#size);
    return value === undefined || value < 0 ? undefined : lots(value);
  }

  /** Whole lots in a balance, rounded down; the rounding error of a double is ignored. So each lot bought or sold changes it by exactly one. */
  wholeLots(amount: number): Lots {
    return lots(Math.floor(this.#steps(amount, this.#size, 'balance')));
  }

  /** price × size in millionths of the quote token; exact if priceDecimals + sizeDecimals is at most 6, otherwise rounded to the nearest. */
  notional(price: Ticks, size: Lots): Micros {
    return micros(Math.round(price * size * this.#microsPerUnit));
  }

  /** The value of one lot in millionths of the quote token, not rounded. */
  lotValue(price: Ticks): number {
    return price * this.#microsPerUnit;
  }

  /**
   * Returns the distance in ticks of neighbouring prices of orders. Example: with 5 figures and a tick of 0.01, prices near 1234.56 are 10 ticks apart. A
   * price at the upper end of its magnitude (99,999 of five figures) may be followed by one in the next magnitude, which is a multiple as well.
   */
  #strideAt(price: number): number {
    const { priceFigures: figures, priceStep = 1, priceDecimals } = this.spec;
    if (figures === undefined) return 1;
    const excess = Math.min(priceDecimals, String(Math.abs(price * priceStep)).length - figures);
    const unit = 10 ** Math.max(0, excess);
    return unit % priceStep === 0 ? unit / priceStep : unit;
  }

  #steps(value: number, grid: Grid, what: string): number {
    if (!Number.isFinite(value)) throw new AssertionError(`market ${this.symbol}: ${what} ${value} is not a finite number`);
    return onStep(value, grid) ?? (value * grid.scale) / grid.step;
  }
}

/** The values that a price or a size may have: multiples of `step / scale`, where `scale` is 10^decimals. */
interface Grid {
  readonly decimals: number;
  readonly scale: number;
  readonly step: number;
}

const isStep = (step: number): boolean => Number.isSafeInteger(step) && step > 0;

/** The number of steps if that is an integer up to the rounding error of a double: 0.29 is 29 steps of 0.01. */
function onStep(value: number, { scale: factor, step }: Grid): number | undefined {
  const scaled = (value * factor) / step;
  const rounded = Math.round(scaled);
  const noise = Math.max(1e-9, 16 * Number.EPSILON * Math.abs(scaled));
  return Number.isSafeInteger(rounded) && Math.abs(scaled - rounded) <= noise ? rounded : undefined;
}

function exact(text: string, grid: Grid): number {
  const value = wholeSteps(text, grid);
  const unit = grid.step === 1 ? '' : ` that is a multiple of ${unscale(grid.step, grid.decimals)}`;
  assert(value !== undefined, `${text} is not a decimal with at most ${grid.decimals} places${unit}`);
  return value;
}

/** Returns a decimal as a number of steps; undefined for a text with more decimals, or between two steps. */
function wholeSteps(text: string, { decimals, step }: Grid): number | undefined {
  const value = scale(text, decimals, 'exact');
  return value === undefined || Number(value) % step !== 0 ? undefined : Number(value) / step;
}

/** The fees of an account, in parts per million of the traded value. */
export interface FeeRates {
  readonly makerPpm: number;
  readonly takerPpm: number;
}

/** Returns the price in the middle of the best bid and the best ask, in quote tokens; undefined if a side of the book is empty. */
export function midOf(market: Market, { bids, asks }: Pick<Book, 'bids' | 'asks'>): number | undefined {
  const [bid, ask] = [bids[0], asks[0]];
  return bid === undefined || ask === undefined ? undefined : (market.price(bid.price) + market.price(ask.price)) / 2;
}
