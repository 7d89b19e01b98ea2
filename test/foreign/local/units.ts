// Converts decimals of a request to ticks, lots and millionths. Throws an ApiError for anything that is not a positive number.
import type { Listing } from '../market.ts';
import { ApiError } from './api-error.ts';

export const ticksOf = (listing: Listing, price: unknown): number => whole(price, { name: 'price', decimals: listing.priceDecimals });
export const lotsOf = (listing: Listing, size: unknown): number => whole(size, { name: 'size', decimals: listing.sizeDecimals });
export const microsOf = (amount: unknown): number => whole(amount, { name: 'size', decimals: 6 });

/** Tolerated rounding error of a double, relative to the number of units. */
const NOISE = 1e-6;

function whole(value: unknown, { name, decimals }: { name: string; decimals: number }): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0)
    throw new ApiError('malformed', `${name} is not a positive number`);
  const scaled = value * 10 ** decimals;
  const units = Math.round(scaled);
  if (Math.abs(scaled - units) > NOISE * Math.max(1, units) || !Number.isSafeInteger(units))
    throw new ApiError('malformed', `${name} ${value} has more than ${decimals} decimals`);
  return units;
}
