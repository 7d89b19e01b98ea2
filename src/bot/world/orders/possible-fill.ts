// Which price and which fee of a fill are possible, and what counts instead of an impossible one.
import type { Account } from '../../domain/account.ts';
import { crosses, type Level } from '../../domain/book.ts';
import type { Market } from '../../domain/market.ts';
import { type Micros, micros, type Ticks, ticks } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';

/**
 * A taker's price, or the price of a fill whose order is not known, lies between the market's price divided by BAND and the market's price times BAND.
 */
const BAND = 1.5;
/** Highest fee, and highest rebate, as a fraction of the notional, if the exchange reports no rates or the order is not known. */
export const HIGHEST_FEE = 0.01;
/** Counts instead of an impossible fee, as a fraction of the notional, if the exchange reports no rates. */
const ASSUMED_FEE = 0.001;
/** Greatest rounding of a fee, in millionths of the quote token. */
const ROUNDING = 10_000;

/** What is known of the trade besides what the list of trades shows. */
export interface FillTerms {
  readonly market: Market;
  /** The price of our order; undefined if it is not known. */
  readonly limit?: Ticks | undefined;
  /** The trades that the receipt of our order reports: one by one, or all as one at their average price. */
  readonly taken: readonly Level[];
  /** The price of the market now; undefined if it is not known. */
  readonly marketPrice?: Ticks | undefined;
  /** The newest account, with the current fee rates. */
  readonly account?: Pick<Account, 'feeRate' | 'fees'> | undefined;
  /** The lowest and highest fee rate of the run so far; undefined if the exchange lists no tiers. */
  readonly feeRange?: Account['feeRange'];
}

/** True for each value that is impossible. */
export interface Impossible {
  readonly price: boolean;
  readonly fee: boolean;
}

/** Returns what is impossible of a fill as it was reported; undefined if all is possible. */
export function impossibleIn(fill: Fill, terms: FillTerms): Impossible | undefined {
  const price = !isPricePossible(fill, terms);
  const fee = !isFeePossible(fill, price ? substitutePrice(fill, terms) : fill.price, terms);
  return price || fee ? { price, fee } : undefined;
}

/** Returns the fill with substitutes for its impossible values. */
export function provisionalFill(fill: Fill, impossible: Impossible, terms: FillTerms): Fill {
  const price = impossible.price ? substitutePrice(fill, terms) : fill.price;
  const fee = impossible.fee ? substituteFee(fill, price, terms) : fill.fee;
  return { ...fill, price, fee, provisional: { price: fill.price, fee: fill.fee, limit: terms.limit } };
}

function isPricePossible({ role, side, price, orderId, size }: Fill, { limit, taken, marketPrice }: FillTerms): boolean {
  if (limit === undefined) return isInBand(price, marketPrice);
  if (role === 'maker') return price === limit;
  if (!crosses(side, limit, price) || !isInBand(price, marketPrice ?? limit)) return false;
  if (orderId === '' || !coversAll(taken, size) || isAverage(taken, size)) return true; // only receipts of exchanges whose trades name orders are exact
  return taken.some((level) => level.price <= price) && taken.some((level) => level.price >= price);
}

const isInBand = (price: Ticks, marketPrice: Ticks | undefined): boolean =>
  marketPrice === undefined || (price * BAND >= marketPrice && price <= marketPrice * BAND);

const coversAll = (taken: readonly Level[], size: number): boolean => taken.reduce((sum, level) => sum + level.size, 0) >= size;

/** True if the receipt may report the average price of several trades, of which this one is a part: an exchange may report nothing else. */
const isAverage = ([first, ...others]: readonly Level[], size: number): boolean =>
  first !== undefined && others.length === 0 && first.size > size;

function isFeePossible({ fee, size }: Fill, price: Ticks, { market, limit, account, feeRange }: FillTerms): boolean {
  if (fee === undefined) return true;
  const { lowest, highest } = limit === undefined ? WIDEST : (feeRange ?? feeRangeOf(account));
  const notional = market.notional(price, size);
  return fee >= lowest * notional - ROUNDING && fee <= highest * notional + ROUNDING;
}

const WIDEST = { lowest: -HIGHEST_FEE, highest: HIGHEST_FEE };

/** Fees as fractions of the notional. A negative fee is paid to us. */
function feeRangeOf(account: FillTerms['account']): { readonly lowest: number; readonly highest: number } {
  const { fees } = account ?? {};
  return fees === undefined ? WIDEST : { lowest: Math.min(0, fees.maker, fees.taker), highest: Math.max(0, fees.maker, fees.taker) };
}

/**
 * Returns the price that counts instead of an impossible one. For a maker: the price of its order. For a taker: the price that its receipt reports, or
 * else its limit. For a fill whose order is not known: the market's price.
 */
function substitutePrice({ role, price, size }: Fill, { limit, taken, marketPrice }: FillTerms): Ticks {
  if (limit === undefined) return marketPrice ?? price;
  if (role === 'maker' || taken.length === 0) return limit;
  const sameSize = taken.find((level) => level.size === size);
  if (sameSize !== undefined) return sameSize.price;
  const [cost, total] = taken.reduce(([sum, all], level) => [sum + level.price * level.size, all + level.size], [0, 0]);
  return ticks(Math.round(cost / total));
}

const substituteFee = ({ size }: Fill, price: Ticks, { market, account }: FillTerms): Micros =>
  micros(Math.ceil(market.notional(price, size) * (account?.feeRate ?? ASSUMED_FEE)));
