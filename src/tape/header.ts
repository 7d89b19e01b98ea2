// What a tape says of itself: its market, where it comes from, and how its books were seen.
import { z } from 'zod';
import { assert } from '../base/assert.ts';
import type { MarketSpec } from '../domain/market.ts';

/**
 * How the books of a tape were seen: every change of a level; every order by name; the states that polls saw, of which nothing is known in
 * between; or not at all.
 */
const BOOKS = ['changes', 'orders', 'polled', 'candles'] as const;

export interface TapeHeader {
  readonly market: MarketSpec;
  /** The first price, a decimal, at which an exchange opens the market. */
  readonly basePrice: number;
  /** In words: what it was made from. */
  readonly source: string;
  readonly books: (typeof BOOKS)[number];
  /** Milliseconds from poll to poll; of candles, from one to the next. */
  readonly pollMs?: number | undefined;
  /** From one payment of funding to the next, which its rates are for; absent where that is not known, as on tapes of version 1. */
  readonly fundingIntervalMs?: number | undefined;
  readonly made?: { readonly command?: string | undefined; readonly seed?: string | undefined } | undefined;
}

const wholeNumber = z.int().nonnegative();
const fraction = z.number().nonnegative();

const headerSchema = z.strictObject({
  market: z.strictObject({
    id: wholeNumber,
    symbol: z.string().min(1),
    kind: z.enum(['perp', 'spot']),
    baseTokenId: wholeNumber,
    quoteTokenId: wholeNumber,
    priceDecimals: wholeNumber.max(18),
    sizeDecimals: wholeNumber.max(18),
    imf: fraction,
    cmf: fraction,
    mmf: fraction,
  }),
  basePrice: z.number().positive(),
  source: z.string(),
  books: z.enum(BOOKS),
  pollMs: z.number().positive().optional(),
  fundingIntervalMs: z.int().positive().optional(),
  made: z.strictObject({ command: z.string().optional(), seed: z.string().optional() }).optional(),
});

/** The header as JSON, the same text for the same header. */
export function headerText(header: TapeHeader): string {
  const { data, error } = headerSchema.safeParse(header);
  assert(error === undefined, `not the header of a tape: ${error?.message}`);
  return JSON.stringify(data);
}

/** The header that `headerText` wrote; undefined where the text is none. */
export function parseHeader(text: string): TapeHeader | undefined {
  try {
    return headerSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
