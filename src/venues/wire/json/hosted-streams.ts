// The frames of the hosted exchange's websocket, as far as they are read.
import { z } from 'zod';
import { id, readAs, u32 } from '../../../base/wire/shapes.ts';

/** Levels are pairs, or objects as in older clients of the exchange. */
const level = z.union([
  z.tuple([z.number(), z.number()]),
  z.object({ price: z.number(), size: z.number() }).transform(({ price, size }): [number, number] => [price, size]),
]);

const numbered = { last_update_id: id, update_id: id };

/** Changed levels: sizes are new totals, 0 for a level that is gone. */
const delta = z.object({ ...numbered, market_symbol: z.string(), asks: z.array(level), bids: z.array(level) });
export type DeltaFrame = z.output<typeof delta>;

/** Events of an account; used only as a sign that the account has changed. */
const accountFrame = z.object({ ...numbered, account_id: u32 });

export type StreamFrame =
  | { readonly kind: 'delta'; readonly delta: DeltaFrame }
  | { readonly kind: 'account'; readonly account: z.output<typeof accountFrame> };

/** Returns undefined for a frame of another kind. Throws a `WireError` for an invalid frame. */
export function streamFrame(value: unknown): StreamFrame | undefined {
  const frame = readAs(z.object({ delta: z.unknown().optional(), account: z.unknown().optional() }), value, 'a frame');
  if (frame.delta !== undefined) return { kind: 'delta', delta: readAs(delta, frame.delta, 'a delta frame') };
  if (frame.account !== undefined) return { kind: 'account', account: readAs(accountFrame, frame.account, 'an account frame') };
  return undefined;
}
