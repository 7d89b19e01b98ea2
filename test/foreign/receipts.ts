// Encodes receipts: one error or one result, distinguished by the field number.
import type { Order } from './accounts.ts';
import {
  CANCEL_RESULT,
  ERRORS,
  type ErrorName,
  errorNameIn,
  FILL,
  type Numbering,
  PLACE_RESULT,
  POSTED,
  RECEIPT,
  SIDES,
} from './numbering.ts';
import { frame, implicit, message } from './protobuf.ts';
import type { Placed } from './trading.ts';
import type { Session } from './users.ts';

export type Outcome =
  | { readonly kind: 'err'; readonly error: ErrorName }
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'placed'; readonly placed: Placed; readonly clientOrderId: bigint | undefined }
  | { readonly kind: 'cancelled'; readonly order: Order };

export interface ReceiptStyle {
  readonly numbering: Numbering;
  /** Results of orders and cancels have no fields: the document shows none. */
  readonly bareResults: boolean;
  readonly echo: boolean;
}

export function receiptOf({ actionId, outcome, ...style }: { actionId: bigint; outcome: Outcome } & ReceiptStyle): Uint8Array {
  return frame(message([RECEIPT.actionId, implicit(actionId)], kindOf(outcome, style)));
}

function kindOf(outcome: Outcome, { numbering, bareResults, echo }: ReceiptStyle): [number, bigint | Uint8Array] {
  switch (outcome.kind) {
    case 'err':
      return [RECEIPT.err, BigInt(ERRORS[errorNameIn(numbering, outcome.error)])];
    case 'session':
      return [RECEIPT.createSessionResult, message([1, outcome.session.id])];
    case 'placed':
      return [RECEIPT.placeOrderResult, bareResults ? message() : placeResult(outcome.placed, echo ? outcome.clientOrderId : undefined)];
    case 'cancelled':
      return [RECEIPT.cancelOrderResult, bareResults ? message() : cancelResult(outcome.order)];
  }
}

function placeResult({ posted, fills }: Placed, clientOrderId: bigint | undefined): Uint8Array {
  const fillMessages = fills.map((fill): [number, Uint8Array] => [
    PLACE_RESULT.fills,
    message(
      [FILL.orderId, fill.orderId],
      [FILL.price, BigInt(fill.price)],
      [FILL.size, BigInt(fill.size)],
      [FILL.accountId, BigInt(fill.makerId)],
    ),
  ]);
  const rest = posted === undefined ? undefined : postedMessage(posted);
  return message([PLACE_RESULT.posted, rest], ...fillMessages, [PLACE_RESULT.clientOrderId, clientOrderId]);
}

const postedMessage = (order: Order): Uint8Array =>
  message(
    [POSTED.side, implicit(BigInt(SIDES.indexOf(order.side)))],
    [POSTED.marketId, implicit(BigInt(order.listing.marketId))],
    [POSTED.price, BigInt(order.price)],
    [POSTED.size, BigInt(order.remaining)],
    [POSTED.orderId, order.orderId],
    [POSTED.accountId, implicit(BigInt(order.account.id))],
  );

const cancelResult = (order: Order): Uint8Array =>
  message([CANCEL_RESULT.orderId, order.orderId], [CANCEL_RESULT.accountId, implicit(BigInt(order.account.id))]);
