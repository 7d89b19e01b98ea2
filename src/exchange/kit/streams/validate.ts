// Converts the exchange's numbers into ticks, lots and micros. Throws for an invalid value, so that no partly valid answer is used.
import type { Market } from '../../../domain/market.ts';
import { type Lots, type Micros, type Ticks, toMicros } from '../../../domain/numbers.ts';

/** Returns a decimal price in ticks. Throws if it is not a whole number of ticks. */
export function ticksOf(market: Market, price: number): Ticks {
  const value = market.ticksOf(price);
  if (value === undefined) throw invalidValue(market, `a price of ${price}`);
  return value;
}

/** Returns the tick nearest to a decimal price. Throws if the price is invalid. */
export function ticksNear(market: Market, price: number): Ticks {
  const value = market.ticksNear(price);
  if (value === undefined) throw invalidValue(market, `a price of ${price}`);
  return value;
}

/** Returns a decimal size in lots. Throws if it is not a whole number of lots. */
export function lotsOf(market: Market, size: number): Lots {
  const value = market.lotsOf(size);
  if (value === undefined) throw invalidValue(market, `a size of ${size}`);
  return value;
}

/** Returns a decimal size in lots. Throws if it is 0, or not a whole number of lots. */
export function positiveLotsOf(market: Market, size: number): Lots {
  const value = lotsOf(market, size);
  if (value === 0) throw invalidValue(market, 'a size of 0');
  return value;
}

/** Returns an amount of quote tokens in micros. Throws an error that names `what` if it cannot be counted. */
export function moneyOf(amount: number, what: string): Micros {
  const money = toMicros(amount);
  if (money === undefined) throw new Error(`${what} of ${amount}`);
  return money;
}

/** Returns the error for an invalid value. Callers build the text only if there is an error, because a book has many levels. */
export const invalidValue = ({ symbol }: Market, what: string): Error => new Error(`market ${symbol}: ${what}`);
