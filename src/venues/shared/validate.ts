// Converts the exchange's numbers into ticks, lots and micros. Throws for an invalid value, so that no partly valid answer is used.
import { Decimal } from 'decimal.js';
import type { Level } from '../../bot/domain/book.ts';
import type { Market } from '../../bot/domain/market.ts';
import { type Lots, lots, type Micros, type Ticks, toMicros } from '../../bot/domain/numbers.ts';

/** Returns the decimals of a step that is decimal text, and how many units of the last decimal it has: of `0.25` 2 and 25. */
export function gridOf(text: string): { readonly decimals: number; readonly step: number } {
  const step = new Decimal(text);
  const decimals = step.decimalPlaces();
  return { decimals, step: step.times(new Decimal(10).pow(decimals)).toNumber() };
}

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

/** Returns a decimal size of a position in lots; negative for a short one. Throws if it is not a whole number of lots. */
export function heldLotsOf(market: Market, size: number): Lots {
  const held = lotsOf(market, Math.abs(size));
  return lots(size < 0 ? -held : held);
}

/** Returns one side of a book. Throws if a level is off the tick, or if a price occurs twice. */
export function levelsOf(market: Market, listed: readonly (readonly [price: number, size: number])[]): readonly Level[] {
  const levels = listed.map(([price, size]): Level => ({ price: ticksOf(market, price), size: positiveLotsOf(market, size) }));
  const prices = new Set(levels.map(({ price }) => price));
  if (prices.size !== levels.length) throw invalidValue(market, 'a price twice in one side of the book');
  return levels;
}

/** Returns an amount of quote tokens in micros. Throws an error that names `what` if it cannot be counted. */
export function moneyOf(amount: number, what: string): Micros {
  const money = toMicros(amount);
  if (money === undefined) throw new Error(`${what} of ${amount}`);
  return money;
}

/** Returns the error for an invalid value. Callers build the text only if there is an error, because a book has many levels. */
export const invalidValue = ({ symbol }: Market, what: string): Error => new Error(`market ${symbol}: ${what}`);
