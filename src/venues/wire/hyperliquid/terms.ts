// What the JSON of Hyperliquid means to both its client and the embedded exchange: the rules of its markets, names of sides and kinds of orders, addresses.
import { z } from 'zod';
import type { Side } from '../../../bot/domain/book.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import type { FillMode } from '../../../bot/domain/order.ts';

/** Price decimals plus size decimals are at most this. */
export const DECIMALS = { perp: 6, spot: 8 };
/** `priceFigures`: the maximum number of significant figures of a price. `minNotional`: the least value of an order, in quote tokens. */
export const ORDER_TERMS = { priceFigures: 5, minNotional: 10 };

/** The asset number of a spot market is this plus its index in the listing; that of a perpetual is its index. */
export const SPOT_ASSETS: MarketId = 10_000;

/** `B` buys, `A` sells. */
export const sideLetter = (side: Side): 'A' | 'B' => (side === 'bid' ? 'B' : 'A');
export const sideOf = (letter: 'A' | 'B'): Side => (letter === 'B' ? 'bid' : 'ask');

/** Time in force: `Alo` is add liquidity only, `Ioc` immediate or cancel, `Gtc` good till cancelled. */
export type Tif = 'Alo' | 'Ioc' | 'Gtc';
export const FILL_MODES: Readonly<Record<Tif, FillMode>> = { Alo: 'POST_ONLY', Ioc: 'IMMEDIATE_OR_CANCEL', Gtc: 'LIMIT' };
/** Returns the time in force of an order; undefined for a fill mode that Hyperliquid does not have. */
export const tifOf = (mode: FillMode): Tif | undefined => (['Alo', 'Ioc', 'Gtc'] as const).find((tif) => FILL_MODES[tif] === mode);

/** The shape of an address, which it returns in lower case. */
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .toLowerCase();
