// Decodes receipts on the client side.
import { CANCEL_RESULT, FILL, PLACE_RESULT, POSTED, RECEIPT, SIDES, type Side } from './numbering.ts';
import { bytesOf, type Fields, integer, readFields, unframe, type Value } from './protobuf.ts';

export type Receipt = { readonly actionId: bigint } & (
  | { readonly kind: 'err'; readonly error: string }
  | { readonly kind: 'session'; readonly sessionId: bigint }
  | {
      readonly kind: 'placed';
      readonly posted: Posted | undefined;
      readonly fills: readonly Filled[];
      readonly clientOrderId: bigint | undefined;
    }
  | { readonly kind: 'cancelled'; readonly orderId: bigint; readonly accountId: number }
  | { readonly kind: 'other' }
);

/** Price in ticks, size in lots. */
export interface Filled {
  readonly orderId: bigint;
  readonly price: bigint;
  readonly size: bigint;
  readonly accountId: number;
}

export interface Posted extends Filled {
  readonly side: Side | undefined;
  readonly marketId: number;
}

/** Decodes a receipt. `errors` maps numbers to names; an unknown number becomes UNKNOWN_<n>. */
export function readReceipt(bytes: Uint8Array, errors: ReadonlyMap<number, string>): Receipt {
  const fields = readFields(unframe(bytes).payload);
  const actionId = integer(fields, RECEIPT.actionId) ?? 0n;
  const error = integer(fields, RECEIPT.err);
  if (error === undefined) return { actionId, ...resultOf(fields) };
  return { actionId, kind: 'err', error: errors.get(Number(error)) ?? `UNKNOWN_${error}` };
}

type Result<R = Receipt> = R extends Receipt ? Omit<R, 'actionId'> : never;

function resultOf(receipt: Fields): Result {
  const session = bytesOf(receipt, RECEIPT.createSessionResult);
  if (session !== undefined) return { kind: 'session', sessionId: integer(readFields(session), 1) ?? 0n };
  const cancelled = bytesOf(receipt, RECEIPT.cancelOrderResult);
  if (cancelled !== undefined) {
    const fields = readFields(cancelled);
    return {
      kind: 'cancelled',
      orderId: integer(fields, CANCEL_RESULT.orderId) ?? 0n,
      accountId: Number(integer(fields, CANCEL_RESULT.accountId) ?? 0n),
    };
  }
  const placed = bytesOf(receipt, RECEIPT.placeOrderResult);
  if (placed === undefined) return { kind: 'other' };
  const fields = readFields(placed);
  const posted = bytesOf(fields, PLACE_RESULT.posted);
  const fills = (fields.get(PLACE_RESULT.fills) ?? []).map((fill) => filledOf(readFields(asBytes(fill)), FILL));
  return {
    kind: 'placed',
    posted: posted && postedOf(readFields(posted)),
    fills,
    clientOrderId: integer(fields, PLACE_RESULT.clientOrderId),
  };
}

const postedOf = (fields: Fields): Posted => ({
  ...filledOf(fields, POSTED),
  side: SIDES[Number(integer(fields, POSTED.side) ?? 0n)],
  marketId: Number(integer(fields, POSTED.marketId) ?? 0n),
});

const filledOf = (fields: Fields, numbers: Record<keyof Filled, number>): Filled => ({
  orderId: integer(fields, numbers.orderId) ?? 0n,
  price: integer(fields, numbers.price) ?? 0n,
  size: integer(fields, numbers.size) ?? 0n,
  accountId: Number(integer(fields, numbers.accountId) ?? 0n),
});

function asBytes(value: Value): Uint8Array {
  if (typeof value === 'bigint') throw new TypeError('a fill should be a message');
  return value;
}
