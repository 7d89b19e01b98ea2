// The actions of Hyperliquid's `POST /exchange` that a trading key signs. The properties of a parsed action are in the order of these shapes, which is the
// order in which they are signed, whatever their order in the JSON.
import { z } from 'zod';

const asset = z.number().int().min(0);
const decimal = z
  .string()
  .max(40)
  .regex(/^\d+(\.\d+)?$/)
  .transform(withoutZeros);
/** A client order id: 16 bytes in hex. */
const cloid = z
  .string()
  .regex(/^0x[0-9a-fA-F]{32}$/)
  .toLowerCase();
const maybe = <T extends z.ZodType>(shape: T) => z.optional(shape);

const limit = z.object({ limit: z.object({ tif: z.enum(['Alo', 'Ioc', 'Gtc']) }) });
const trigger = z.object({ trigger: z.object({ isMarket: z.boolean(), triggerPx: decimal, tpsl: z.enum(['tp', 'sl']) }) });
/** One order. The one-letter names are those of Hyperliquid. */
const order = z.object({
  /** The asset: the number of a perpetual, or 10,000 and the number of a spot market. */
  a: asset,
  /** True for a purchase. */
  b: z.boolean(),
  /** Price. */
  p: decimal,
  /** Size. */
  s: decimal,
  /** True if reduce-only. */
  r: z.boolean(),
  /** Type. */
  t: z.union([limit, trigger]),
  /** Client order id. */
  c: maybe(cloid),
});
export type OrderRequest = z.output<typeof order>;

const builder = z.object({ b: z.string(), f: z.number().int() });
const fast = maybe(z.literal(true));
const actions = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('order'),
    orders: z.array(order),
    grouping: z.enum(['na', 'normalTpsl', 'positionTpsl']),
    builder: maybe(builder),
  }),
  z.object({ type: z.literal('cancel'), cancels: z.array(z.object({ a: asset, o: z.number().int() })), f: fast }), // `o`: order id
  z.object({ type: z.literal('cancelByCloid'), cancels: z.array(z.object({ asset, cloid })), f: fast }),
  z.object({ type: z.literal('batchModify'), modifies: z.array(z.object({ oid: z.union([z.number().int(), cloid]), order })) }),
  z.object({ type: z.literal('scheduleCancel'), time: maybe(z.number().int()) }),
  z.object({ type: z.literal('updateLeverage'), asset, isCross: z.boolean(), leverage: z.number().int().min(1) }),
  z.object({ type: z.literal('noop') }),
]);

export const action = actions;
export type HyperliquidAction = z.output<typeof action>;

/** Returns a decimal as it is signed: without zeros at its end. */
export function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
