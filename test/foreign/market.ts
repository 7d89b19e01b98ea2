// Markets, tokens, and the other traders: a scripted price with quotes around it.
import { createHash } from 'node:crypto';
import type { Side } from './numbering.ts';

export interface Listing {
  readonly marketId: number;
  readonly symbol: string;
  readonly baseTokenId: number;
  readonly quoteTokenId: number;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  readonly imf: number;
  readonly cmf: number;
  readonly mmf: number;
  /** Centre of the scripted price, in whole quote tokens. */
  readonly around: number;
}

const FRACTIONS = { imf: 0.05, cmf: 0.0375, mmf: 0.025 };

export const LISTINGS: readonly Listing[] = [
  { marketId: 0, symbol: 'BTCUSDC', baseTokenId: 1, quoteTokenId: 0, priceDecimals: 1, sizeDecimals: 4, around: 60_000, ...FRACTIONS },
  { marketId: 1, symbol: 'ETHUSDC', baseTokenId: 2, quoteTokenId: 0, priceDecimals: 2, sizeDecimals: 3, around: 3_000, ...FRACTIONS },
];

export const TOKENS = [
  { tokenId: 0, symbol: 'USDC', decimals: 6, mintAddr: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', weightBps: 10_000 },
  { tokenId: 1, symbol: 'BTC', decimals: 8, mintAddr: '3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh', weightBps: 9_500 },
  { tokenId: 2, symbol: 'ETH', decimals: 8, mintAddr: '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', weightBps: 9_500 },
] as const;

/** Returns price × size in millionths of the quote token; `price` in ticks, `size` in lots. */
export const notional = ({ priceDecimals, sizeDecimals }: Listing, price: number, size: number): number =>
  price * size * 10 ** (6 - priceDecimals - sizeDecimals);

export const priceOf = (listing: Listing, ticks: number): number => ticks / 10 ** listing.priceDecimals;
export const sizeOf = (listing: Listing, lots: number): number => lots / 10 ** listing.sizeDecimals;

/** Price in ticks, size in lots. */
export interface Level {
  readonly price: number;
  readonly size: number;
}

const LEVELS = 20;
const BASIS_POINT = 1e-4;

/** Prices, quotes and trades of all other traders: a pure function of the seed and the time since the start. */
export class OtherTraders {
  readonly listing: Listing;
  readonly #salt: number;

  constructor(listing: Listing, seed: string) {
    this.listing = listing;
    this.#salt = createHash('sha256').update(`${seed} ${listing.symbol}`).digest().readUInt32LE(0);
  }

  /** Returns the mid price in unrounded ticks: a sine wave of 1 % from low to high with a period of one minute, plus a small faster one. */
  mid(elapsedMs: number): number {
    const swing = Math.sin(2 * Math.PI * (elapsedMs / 60_000 + this.#noise(1, 0)));
    const ripple = Math.sin(2 * Math.PI * (elapsedMs / 6_700 + this.#noise(2, 0)));
    return this.listing.around * 10 ** this.listing.priceDecimals * (1 + 0.005 * swing + 0.0004 * ripple);
  }

  /** Returns twenty levels, best price first, one basis point apart. Sizes change twice a second. */
  levels(side: Side, elapsedMs: number): Level[] {
    const mid = this.mid(elapsedMs);
    const outward = side === 'bid' ? -1 : 1;
    const beat = Math.floor(elapsedMs / 500);
    return Array.from({ length: LEVELS }, (_, depth) => ({
      price: outward * Math.floor(outward * mid * (1 + outward * (depth + 1) * BASIS_POINT)),
      size: this.#lots(0.2 + (depth + 1) * this.#noise(beat, outward * (depth + 1))),
    }));
  }

  /** Returns the taker side and the size, in lots, of a trade between the other traders. */
  take(elapsedMs: number): { takerSide: Side; size: number } {
    const beat = Math.floor(elapsedMs / 100);
    return { takerSide: this.#noise(beat, 77) < 0.5 ? 'bid' : 'ask', size: this.#lots(0.02 + 0.3 * this.#noise(beat, 78)) };
  }

  /** Returns the lots that are worth `share` × 15 000 quote tokens. */
  #lots(share: number): number {
    return Math.ceil(((share * 15_000) / this.listing.around) * 10 ** this.listing.sizeDecimals);
  }

  /** Returns a number in [0, 1) that depends on the salt and the arguments only: the finalizer of MurmurHash3. */
  #noise(a: number, b: number): number {
    let hash = this.#salt ^ Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  }
}
