// Values in the replies of the hosted and the local API: profit at the mark price, ids, pages, and answers that are kept until they change.

import { assert } from '../../base/errors.ts';
import type { Json } from '../../base/server/reply.ts';
import type { HttpRequest } from '../../base/transport/transport.ts';
import type { Market } from '../../bot/domain/market.ts';
import { type Micros, micros, type Ticks } from '../../bot/domain/numbers.ts';
import type { RowPage } from '../exchange/history/paging.ts';
import type { PositionState } from '../exchange/views.ts';

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

/** Most paths whose answers are kept. */
const MOST_KEPT = 100;

/**
 * The newest answers to paths, or parts of them, because writing one takes several times as long as everything else, and clients ask for the same again.
 */
export class WrittenAnswers<Answer> {
  readonly #kept = new Map<string, { readonly version: unknown; readonly answer: Answer }>();

  /** Returns the same answer again while the version of what it shows is the same, compared by `===`. */
  answer({ path }: HttpRequest, version: unknown, write: () => Answer): Answer {
    const known = this.#kept.get(path);
    if (known !== undefined && known.version === version) return known.answer;
    const answer = write();
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(path, { version, answer });
    return answer;
  }
}
