// What the local process calls markets and sides.
import { LISTINGS, type Listing, TOKENS } from '../market.ts';
import type { Side } from '../numbering.ts';
import { Problem } from './problem.ts';

export type TradeSide = 'buy' | 'sell';

export const tradeSide = (side: Side): TradeSide => (side === 'bid' ? 'buy' : 'sell');

export const underlyingOf = ({ baseTokenId }: Listing): string => TOKENS.find(({ tokenId }) => tokenId === baseTokenId)?.symbol ?? '';
export const nameOf = (listing: Listing): string => `${underlyingOf(listing)}-PERP`;

export function listingNamed(name: string): Listing {
  const listing = LISTINGS.find((candidate) => nameOf(candidate) === name);
  if (listing === undefined) throw new Problem('unknown', `there is no market ${name}`);
  return listing;
}
