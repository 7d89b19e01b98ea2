// Writes ids and pages in the JSON of the hosted API.

import type { Json } from '../../../base/server/reply.ts';
import type { Page } from '../../exchange/history/paging.ts';
import { orNull } from '../reply-values.ts';

/** Returns an id as a JSON number with all its digits. */
export function idNumber(id: string): number | bigint {
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : BigInt(id);
}

/** Returns a page; `nextStartInclusive` is null on the last one. */
export const pageReply = <Row>({ items, nextStartInclusive }: Page<Row>, reply: (row: Row) => Json): Json => ({
  items: items.map(reply),
  nextStartInclusive: orNull(nextStartInclusive, idNumber),
});
