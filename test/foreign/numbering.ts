// Two tables of protobuf field numbers: those of the interface document, and those observed at the live exchange.
import { readFileSync } from 'node:fs';

export type Numbering = 'document' | 'live';

/** Numbers that both tables share. The document lacks those of Action, so both tables use the live ones. */
export const ACTION = { timestamp: 1, nonce: 2, createSession: 4, placeOrder: 7, cancelOrder: 8 } as const;
export const CREATE_SESSION = { userPubkey: 1, sessionPubkey: 2, expiry: 3 } as const;
export const CANCEL_ORDER = { sessionId: 1, orderId: 2, senderAccountId: 33 } as const;
export const RECEIPT = { actionId: 1, err: 32, createSessionResult: 33, placeOrderResult: 34, cancelOrderResult: 35 } as const;
export const PLACE_RESULT = { posted: 1, fills: 2, clientOrderId: 3 } as const;
export const POSTED = { side: 1, marketId: 2, price: 3, size: 4, orderId: 5, accountId: 6 } as const;
export const FILL = { orderId: 2, price: 4, size: 5, accountId: 6 } as const;
export const CANCEL_RESULT = { orderId: 1, accountId: 2 } as const;

/** Numbers that differ: field 5 is the price in one table and the reduce-only flag in the other. */
export const PLACE_ORDER = {
  document: {
    sessionId: 1,
    marketId: 2,
    side: 3,
    fillMode: 4,
    reduceOnly: undefined,
    price: 5,
    size: 6,
    clientOrderId: 33,
    senderAccountId: 34,
  },
  live: { sessionId: 1, marketId: 2, side: 3, fillMode: 4, reduceOnly: 5, price: 6, size: 7, clientOrderId: 33, senderAccountId: 34 },
} as const;

export type Side = 'ask' | 'bid';
/** The index in the list is the number on the wire. */
export const SIDES: readonly Side[] = ['ask', 'bid'];

export type FillMode = 'limit' | 'postOnly' | 'immediateOrCancel' | 'fillOrKill';
export const FILL_MODES: readonly FillMode[] = ['limit', 'postOnly', 'immediateOrCancel', 'fillOrKill'];

export const ERRORS = {
  DUPLICATE: 0,
  DECODE_FAILURE: 2,
  INVALID_SIGNATURE: 3,
  MARKET_NOT_FOUND: 4,
  USER_NOT_FOUND: 6,
  SESSION_NOT_FOUND: 7,
  ORDER_NOT_FOUND: 8,
  ORDER_SIZE_ZERO: 9,
  EXPIRY_TIMESTAMP_IN_PAST: 16,
  IMMEDIATE_ORDER_GOT_NO_FILLS: 133,
  POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS: 135,
  ONLY_IMMEDIATE_ORDERS_ALLOWED: 140,
  ACCOUNT_INVALID_OWNER: 143,
  INSUFFICIENT_FUNDS: 164,
  TIMESTAMP_OUT_OF_THRESHOLD: 177,
  MARKET_FROZEN: 193,
  POSITION_NOT_FOUND: 201,
  SIGNATURE_VERIFICATION: 217,
  RISK_OMF_LESS_THAN_OR_EQUAL_IMF: 226,
  ORDER_EXECUTION_FILL_OR_KILL: 242,
  ORDER_EXECUTION_MISSING_PRICE: 244,
  ORDER_EXECUTION_SIZE_LIMIT: 245,
} as const;

export type ErrorName = keyof typeof ERRORS;

/** Returns the error name of a numbering. The document has one name where the live exchange has several. */
export function errorNameIn(numbering: Numbering, error: ErrorName): ErrorName {
  if (numbering === 'live') return error;
  if (error === 'SIGNATURE_VERIFICATION') return 'INVALID_SIGNATURE';
  return error === 'RISK_OMF_LESS_THAN_OR_EQUAL_IMF' ? 'INSUFFICIENT_FUNDS' : error;
}

/** Returns the proto text of a numbering; without `extras` it has no client order id and no sender account id. */
export function schemaText({ numbering, extras }: { numbering: Numbering; extras: boolean }): string {
  const text = readFileSync(new URL(`${numbering}.proto`, import.meta.url), 'utf8');
  return extras ? text : text.replace(/^.*\b(?:client_order_id|sender_account_id)\b.*\n/gm, '');
}
