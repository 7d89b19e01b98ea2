// Replies of the local API: their envelope, pages, and the error of each refusal.
import { type Json, jsonReply, RefusedRequest, type WriteRefusal } from '../../../base/server/reply.ts';
import type { HttpReply } from '../../../base/transport/transport.ts';
import type { ActionId } from '../../../bot/domain/ids.ts';
import type { Refusal, Refused as RefusedByExchange } from '../../exchange/commands.ts';
import { MAX_PAGE, type RowPage } from '../../exchange/history/paging.ts';

export const resultReply = (result: Json): HttpReply => jsonReply({ success: true, result });

/** `hasMoreData` is true if there is a next page. */
export const historyReply = (result: Json, hasMoreData: boolean): HttpReply => jsonReply({ success: true, result, hasMoreData });

export const inEnvelope: WriteRefusal = (body) => ({ success: false, message: messageOf(body), result: null });

const messageOf = (body: Json): string =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string' ? body.message : 'refused';

/** A unique transaction id, derived from the action id. */
export const txIdOf = (actionId: ActionId): string => `action-${actionId}`;

/** Returns one page of a list; empty beyond its end. */
export function pageOf<Row>(
  rows: readonly Row[],
  { page = 1, size = MAX_PAGE }: { page?: number | undefined; size?: number },
): readonly Row[] {
  return rows.slice((page - 1) * size, page * size);
}

/** Returns a page by its number from a list that the exchange pages by cursor. Reads all pages before it. */
export function pageByNumber<Row>(fetch: (startInclusive: string | undefined) => RowPage<Row>, page = 1): RowPage<Row> {
  let found = fetch(undefined);
  for (let number = 1; number < page; number++) {
    if (found.nextStartInclusive === undefined) return { items: [] };
    found = fetch(found.nextStartInclusive);
  }
  return found;
}

/** What the error of each refusal says, after its name. */
const MEANINGS: Readonly<Record<Refusal, string>> = {
  ACCOUNT_NOT_FOUND: 'there is no such account',
  MARKET_NOT_FOUND: 'there is no such market',
  MARKET_FROZEN: 'the market is frozen; only cancels pass',
  ORDER_NOT_FOUND: 'no such order is open',
  POSITION_NOT_FOUND: 'there is no position to reduce',
  POSITION_SIZE_LIMIT: 'the position could become larger than the market allows',
  TOO_MANY_OPEN_ORDERS: 'the account already has the maximum number of open orders',
  ORDER_SIZE_ZERO: 'the size is zero',
  ORDER_EXECUTION_MISSING_PRICE: 'an order that may rest must have a price',
  ORDER_EXECUTION_LIMIT_PRICE: 'the price is too far from the index price',
  ORDER_EXECUTION_SIZE_LIMIT: 'the size is larger than the market allows',
  ORDER_EXECUTION_FILL_OR_KILL: 'the order could not be filled completely',
  POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS: 'the order is post-only and would have traded at once',
  IMMEDIATE_ORDER_GOT_NO_FILLS: 'no order in the book could fill it, and it may not rest',
  INSUFFICIENT_FUNDS: 'the balance or the margin is too small',
  RISK_TRADE_OMF_LESS_THAN_OR_EQUAL_CMF: 'too little margin would be left',
};

/** Returns the error of a refusal: 404 if the account, market, order or position does not exist, else 400. */
export const refusal = (error: Refusal): RefusedRequest =>
  new RefusedRequest(error.endsWith('_NOT_FOUND') ? 404 : 400, { message: `${error}: ${MEANINGS[error]}` });

/** Returns an accepted outcome; throws `RefusedRequest` for a refused one. */
export function requireAccepted<Outcome extends { readonly kind: 'accepted' }>(outcome: Outcome | RefusedByExchange): Outcome {
  if (outcome.kind === 'refused') throw refusal(outcome.error);
  return outcome;
}
