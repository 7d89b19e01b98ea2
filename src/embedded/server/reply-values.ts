// Values in the replies of the hosted and the local API: times, profit at the mark price, ids and pages.

import type { Millis } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import type { Json } from '../../base/server/reply.ts';
import type { Market } from '../../bot/domain/market.ts';
import { type Micros, micros, type Ticks } from '../../bot/domain/numbers.ts';
import type { RowPage } from '../exchange/history/paging.ts';
import type { PositionState } from '../exchange/views.ts';

/** Returns a time as RFC 3339, in UTC. */
export const timeText = (time: Millis): string => new Date(time).toISOString();

export const orNull = <T, R>(value: T | undefined, write: (value: T) => R): R | null => (value === undefined ? null : write(value));

/** Returns a value that the exchange must have, because the id came from the exchange itself. */
export function requireKnown<T>(value: T | undefined): T {
  assert(value !== undefined, 'the exchange does not know an id of its own');
  return value;
}

export interface MarketAtMark {
  readonly market: Market;
  readonly mark: Ticks;
}

/** The unrealised profit of a position at the mark price; the exchange's own `tradingPnl` is at the index price. */
export const profitAtMark = ({ market, mark }: MarketAtMark, { size, cost }: Pick<PositionState, 'size' | 'cost'>): Micros =>
  micros(market.notional(mark, size) - cost);

/** Returns an id as a JSON number with all its digits. */
export function idNumber(id: string): number | bigint {
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : BigInt(id);
}

/** Returns a page; `nextStartInclusive` is null on the last one. */
export const pageReply = <Row>({ items, nextStartInclusive }: RowPage<Row>, reply: (row: Row) => Json): Json => ({
  items: items.map(reply),
  nextStartInclusive: orNull(nextStartInclusive, idNumber),
});
