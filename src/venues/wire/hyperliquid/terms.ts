// What the JSON of Hyperliquid means to both its client and the embedded exchange: the rules of its markets, names of sides and kinds of orders, addresses.
import { z } from 'zod';
import type { Side } from '../../../bot/domain/book.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import type { FillMode } from '../../../bot/domain/order.ts';

/** A price and a size together have at most this many decimals. */
export const DECIMALS = { perp: 6, spot: 8 };
/** The most significant figures of a price; the least value of an order in quote tokens. */
export const ORDER_TERMS = { priceFigures: 5, minNotional: 10 };

/** The asset of a spot market is this and its number; a perpetual's is its place in the listing. */
export const SPOT_ASSETS: MarketId = 10_000;

/** `B` buys, `A` sells. */
export const sideLetter = (side: Side): 'A' | 'B' => (side === 'bid' ? 'B' : 'A');
export const sideOf = (letter: 'A' | 'B'): Side => (letter === 'B' ? 'bid' : 'ask');

export type Tif = 'Alo' | 'Ioc' | 'Gtc';
export const FILL_MODES: Readonly<Record<Tif, FillMode>> = { Alo: 'POST_ONLY', Ioc: 'IMMEDIATE_OR_CANCEL', Gtc: 'LIMIT' };
/** Undefined for a kind of order that Hyperliquid does not have. */
export const tifOf = (mode: FillMode): Tif | undefined => (['Alo', 'Ioc', 'Gtc'] as const).find((tif) => FILL_MODES[tif] === mode);

/** In lower case. */
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .toLowerCase();
