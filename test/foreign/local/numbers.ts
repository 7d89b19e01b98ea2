// Decimals of a request, read as ticks, lots and millionths; whatever is no number there is a problem.
import type { Listing } from '../market.ts';
import { Problem } from './problem.ts';

export const ticksOf = (listing: Listing, price: unknown): number => whole(price, { name: 'price', decimals: listing.priceDecimals });
export const lotsOf = (listing: Listing, size: unknown): number => whole(size, { name: 'size', decimals: listing.sizeDecimals });
export const microsOf = (amount: unknown): number => whole(amount, { name: 'size', decimals: 6 });

/** A tenth of a millionth of a unit is what a double may be off by. */
const NOISE = 1e-6;

function whole(value: unknown, { name, decimals }: { name: string; decimals: number }): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0)
    throw new Problem('malformed', `${name} is not a positive number`);
  const scaled = value * 10 ** decimals;
  const units = Math.round(scaled);
  if (Math.abs(scaled - units) > NOISE * Math.max(1, units) || !Number.isSafeInteger(units))
    throw new Problem('malformed', `${name} ${value} has more than ${decimals} decimals`);
  return units;
}
