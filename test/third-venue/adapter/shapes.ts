// Schemas of the third exchange's JSON. Decimals and ids are text.
import { z } from 'tickwright/venue';

const text = z.string().max(100);
const decimal = text.regex(/^-?\d+(\.\d+)?$/).transform(Number);
const time = text.transform((value) => Date.parse(value)).refine((value) => !Number.isNaN(value), 'not a time');
const side = z.enum(['buy', 'sell']);
const level = z.tuple([decimal, decimal]);

export const instruments = z.array(
  z.object({
    name: text,
    kind: z.enum(['perpetual', 'spot']),
    base: text,
    quote: text,
    tick: text,
    lot: text,
    grain: text,
    figures: z.number().int().positive(),
    leastValue: decimal,
    initial: decimal,
    maintenance: decimal,
  }),
);
const ticker = z.object({ instrument: text, mark: decimal, index: decimal, state: z.enum(['trading', 'frozen']) });
export const tickers = z.array(ticker);
export const book = z.object({ instrument: text, sequence: z.number().int().min(0), bids: z.array(level), asks: z.array(level) });
/** A public trade, with the side of the taker. */
export const trade = z.object({ id: text, instrument: text, side, price: decimal, size: decimal, at: time });
/** One side of a trade, with the private fields of its account. */
export const fill = trade.extend({ orderId: text, role: z.enum(['maker', 'taker']), fee: decimal, feeAsset: text });
/** A page repeats the cursor of its request. */
export const trades = z.object({ before: text, trades: z.array(trade) });
export const fills = z.object({ before: text, fills: z.array(fill) });
export const account = z.object({
  id: text,
  equity: decimal,
  initialMargin: decimal,
  maintenanceMargin: decimal,
  balances: z.array(z.object({ asset: text, amount: decimal })),
  positions: z.array(z.object({ instrument: text, size: decimal, entry: decimal.nullable(), pnl: decimal })),
  orders: z.array(z.object({ id: text, clientId: text, instrument: text, side, price: decimal, size: decimal, left: decimal })),
});
export const placed = z.object({ id: text, clientId: text, resting: decimal, fills: z.array(fill) });
export const settled = z.object({ clientId: text, state: z.enum(['accepted', 'never']) });
export const cancelled = z.object({ cancelled: text });
export const refusal = z.object({ error: text });
export const pushed = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pong'), number: z.number() }),
  z.object({ type: z.literal('book'), book }),
  z.object({ type: z.literal('fill'), fill }),
  z.object({ type: z.literal('trades'), trades: z.array(trade) }),
  z.object({ type: z.literal('ticker'), ticker }),
  z.object({ type: z.literal('accountChanged') }),
]);
