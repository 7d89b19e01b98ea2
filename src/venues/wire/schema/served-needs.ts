// The messages that the embedded exchange reads and answers beyond those that the bot writes. The actions among them cannot be encoded, so the bot can never
// send one.

import { Type } from 'protobufjs';
import { assert } from '../../../base/errors.ts';
import {
  ACTION,
  CANCEL_ORDER,
  FILL_MODE,
  ifAny,
  list,
  type MessageSpec,
  maybe,
  message,
  PLACE_ORDER,
  RECEIPT,
  SIDE,
  scalar,
} from './needs.ts';
import { parseProto } from './proto-text.ts';
import { resolve, type Shape } from './resolve.ts';
import type { ActionSchema } from './schema.ts';

const QUOTE_SIZE = { size: scalar('amount', 'size'), price: scalar('amount', 'price') } satisfies MessageSpec;

const SERVED_PLACE_ORDER = {
  ...PLACE_ORDER,
  quoteSize: ifAny(message(QUOTE_SIZE, 'quote_size')),
  senderTrackingId: maybe(scalar('id', 'sender_tracking_id')),
} satisfies MessageSpec;

const ORDER_TYPE = { side: SIDE, fillMode: FILL_MODE, reduceOnly: ifAny(scalar('flag', 'is_reduce_only')) } satisfies MessageSpec;

const ORDER_LIMIT = {
  price: scalar('amount', 'price'),
  size: scalar('amount', 'size'),
  quoteSize: ifAny(message(QUOTE_SIZE, 'quote_size')),
} satisfies MessageSpec;

const TRADE_OR_PLACE = {
  marketId: scalar('u32', 'market_id'),
  orderType: message(ORDER_TYPE, 'order_type'),
  limit: message(ORDER_LIMIT, 'limit'),
  clientOrderId: maybe(scalar('id', 'client_order_id')),
} satisfies MessageSpec;

const ATOMIC = {
  sessionId: scalar('id', 'session_id'),
  accountId: maybe(scalar('u32', 'account_id')),
  actions: list(
    {
      tradeOrPlace: message(TRADE_OR_PLACE, 'trade_or_place'),
      cancelOrder: message({ orderId: scalar('id', 'order_id') }, 'cancel_order'),
    },
    'actions',
  ),
} satisfies MessageSpec;

const TRANSFER = {
  sessionId: scalar('id', 'session_id'),
  fromAccountId: scalar('u32', 'from_account_id'),
  tokenId: scalar('u32', 'token_id'),
  amount: scalar('amount', 'amount'),
  toAccountId: maybe(scalar('u32', 'to_account_id')),
} satisfies MessageSpec;

/** A schema may lack the kinds that the API document does not show. */
export const SERVED_ACTION = {
  ...ACTION,
  placeOrder: message(SERVED_PLACE_ORDER, 'place_order'),
  cancelOrder: message(CANCEL_ORDER, ...ACTION.cancelOrder.names),
  revokeSession: ifAny(message({ sessionId: scalar('id', 'session_id') }, 'revoke_session')),
  transfer: ifAny(message(TRANSFER, 'transfer')),
  atomic: ifAny(message(ATOMIC, 'atomic')),
} satisfies MessageSpec;

const SERVED_PLACE_RESULT = {
  ...RECEIPT.placeOrder.specs,
  senderTrackingId: maybe(scalar('id', 'sender_tracking_id')),
} satisfies MessageSpec;

const TRANSFERRED = {
  fromAccountId: scalar('u32', 'from_account_id'),
  toUserAccount: maybe(scalar('u32', 'to_user_account')),
  tokenId: scalar('u32', 'token_id'),
  amount: scalar('amount', 'amount'),
  accountCreated: scalar('flag', 'account_created'),
} satisfies MessageSpec;

const ATOMIC_RESULT = {
  results: list(
    {
      placeOrder: message(SERVED_PLACE_RESULT, 'place_order_result'),
      cancelOrder: message(RECEIPT.cancelOrder.specs, 'cancel_order'),
    },
    'results',
  ),
} satisfies MessageSpec;

export const SERVED_RECEIPT = {
  ...RECEIPT,
  placeOrder: message(SERVED_PLACE_RESULT, ...RECEIPT.placeOrder.names),
  sessionRevoked: ifAny(message({}, 'session_revoked')),
  transferred: ifAny(message(TRANSFERRED, 'transferred')),
  atomic: ifAny(message(ATOMIC_RESULT, 'atomic')),
} satisfies MessageSpec;

export interface ServedShapes {
  readonly action: Shape;
  readonly receipt: Shape;
}

/**
 * Returns the messages that the embedded exchange serves, as a loaded schema has them. A loaded schema has everything that the bot needs; other messages may
 * be missing, and are then not served.
 */
export function loadServed({ text }: ActionSchema): ServedShapes {
  const scope = parseProto(text);
  const shapeOf = (name: string, specs: MessageSpec): Shape => {
    const type = scope.get(name);
    assert(type instanceof Type, `the schema has no message ${name}`);
    return resolve(type, specs, []);
  };
  return { action: shapeOf('Action', SERVED_ACTION), receipt: shapeOf('Receipt', SERVED_RECEIPT) };
}
