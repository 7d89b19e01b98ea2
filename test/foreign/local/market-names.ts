// Names of markets and sides in the local API.
import { LISTINGS, type Listing, TOKENS } from '../market.ts';
import type { Side } from '../numbering.ts';
import { ApiError } from './api-error.ts';

export type TradeSide = 'buy' | 'sell';

export const tradeSide = (side: Side): TradeSide => (side === 'bid' ? 'buy' : 'sell');

export const underlyingOf = ({ baseTokenId }: Listing): string => TOKENS.find(({ tokenId }) => tokenId === baseTokenId)?.symbol ?? '';
export const nameOf = (listing: Listing): string => `${underlyingOf(listing)}-PERP`;

export function listingNamed(name: string): Listing {
  const listing = LISTINGS.find((candidate) => nameOf(candidate) === name);
  if (listing === undefined) throw new ApiError('unknown', `there is no market ${name}`);
  return listing;
}
