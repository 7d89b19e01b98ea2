// The header of a tape: its market, its source, and how its books were observed. Also the content hash of a tape.

import { createHash, type Hash } from 'node:crypto';
import { z } from 'zod';
import { assert } from '../../base/errors.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import type { MarketSpec } from '../../bot/domain/market.ts';
import type { Rows } from '../rows/rows.ts';

/**
 * How the books of a tape were observed. `changes`: every change of a level. `orders`: every order, with its id. `polled`: snapshots at intervals,
 * with nothing known in between. `candles`: no books at all.
 */
const BOOKS = ['changes', 'orders', 'polled', 'candles'] as const;

export interface TapeHeader {
  readonly market: MarketSpec;
  /** The first price of the recording, as a decimal. The embedded exchange opens the market at it. */
  readonly basePrice: number;
  /** The source of the tape, as text. */
  readonly source: string;
  readonly books: (typeof BOOKS)[number];
  /** Polling interval in milliseconds; for candles, the length of one. */
  readonly pollMs?: number | undefined;
  /** The time to which a funding rate applies: that between two payments, in milliseconds. Absent if unknown. */
  readonly fundingIntervalMs?: number | undefined;
  /** The command that made the tape, and its seed. */
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
    priceStep: wholeNumber.positive().optional(),
    sizeStep: wholeNumber.positive().optional(),
    priceFigures: wholeNumber.positive().optional(),
    minNotional: z.number().positive().optional(),
    orderLots: wholeNumber.positive().optional(),
    buyFee: z.literal('base').optional(),
    fundingHours: z.number().positive().optional(),
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

/** Returns the header as JSON; equal headers give equal text. */
export function headerText(header: TapeHeader): string {
  const { data, error } = headerSchema.safeParse(header);
  assert(error === undefined, `not the header of a tape: ${error?.message}`);
  return JSON.stringify(data);
}

/** Parses the text of `headerText`. Returns undefined if it is not a header. */
export function parseHeader(text: string): TapeHeader | undefined {
  try {
    return headerSchema.safeParse(readJson(text, JSON_LIMITS.file)).data;
  } catch {
    return undefined;
  }
}

/** The content hash of a tape: depends on the header and the rows alone, not on block sizes or compression. */
export interface TapeHash {
  add(rows: Rows): void;
  /** SHA-256 over the header and the SHA-256 of each column; more rows may be added after. */
  digest(): Buffer;
}

export function createTapeHash(header: string): TapeHash {
  const columns: Hash[] = Array.from({ length: 6 }, () => createHash('sha256'));
  return {
    add({ times, lags, codes, prices, sizes, orders }) {
      for (const [index, values] of [times, lags, codes, prices, sizes, orders].entries())
        if (values !== undefined) columns[index]?.update(values);
    },
    digest: () => columns.reduce((all, column) => all.update(column.copy().digest()), createHash('sha256').update(header)).digest(),
  };
}
