// Reply envelope and paging of the local API.

import { type Json, jsonReply, type WriteRefusal } from '../../../base/server/reply.ts';
import type { HttpReply } from '../../../base/transport/transport.ts';
import type { ActionId } from '../../../bot/domain/ids.ts';
import { MAX_PAGE, type Page } from '../../exchange/history/paging.ts';

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
export function pageByNumber<Row>(fetch: (startInclusive: string | undefined) => Page<Row>, page = 1): Page<Row> {
  let found = fetch(undefined);
  for (let number = 1; number < page; number++) {
    if (found.nextStartInclusive === undefined) return { items: [] };
    found = fetch(found.nextStartInclusive);
  }
  return found;
}
