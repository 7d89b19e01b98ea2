// The matching engine of one market: price first, then time, in whole ticks and lots.
import { assert, unreachable } from '../base/assert.ts';
import type { Level } from '../domain/book.ts';
import type { Lots, Ticks } from '../domain/numbers.ts';
import { canRest, type FillMode } from '../domain/order.ts';
import { opposite, type Side } from '../domain/side.ts';
import { Fills } from './fills.ts';
import { type Handle, Ladder, sideOfHandle } from './ladder.ts';

export type MatchRefusal =
  | 'ORDER_SIZE_ZERO'
  | 'ORDER_EXECUTION_MISSING_PRICE'
  | 'POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS'
  | 'IMMEDIATE_ORDER_GOT_NO_FILLS'
  | 'ORDER_EXECUTION_FILL_OR_KILL';

/**
 * Orders go in two steps: `plan` says what an order would trade, `commit` does it; between the two the caller may still refuse.
 * A fill happens at the maker's price. Who owns an order is not known here, so an account's own orders do trade with each other.
 */
export class OrderBook {
  /** Of the order planned last; makers are handles. Written over by the next plan. */
  readonly fills = new Fills();
  readonly #bids = new Ladder('bid');
  readonly #asks = new Ladder('ask');
  #side: Side = 'bid';
  #price: Ticks | undefined;
  #rest = 0;
  #planned = false;

  best(side: Side): Ticks | undefined {
    return this.#of(side).best;
  }

  /** Totals a level, best first. */
  levels(side: Side): readonly Level[] {
    return this.#of(side).levels();
  }

  /** Works out the fills of an order, or why it is refused, and changes no resting order. Without a price it is a market order. */
  plan(side: Side, mode: FillMode, size: Lots, price: Ticks | undefined): MatchRefusal | undefined {
    this.fills.clear();
    this.#planned = false;
    if (size <= 0) return 'ORDER_SIZE_ZERO';
    if (price === undefined && canRest(mode)) return 'ORDER_EXECUTION_MISSING_PRICE';
    this.#of(opposite(side)).plan(this.fills, size, price);
    const refusal = this.#refusal(mode, size);
    this.#planned = refusal === undefined;
    this.#side = side;
    this.#price = price;
    this.#rest = canRest(mode) ? size - this.fills.total : 0;
    return refusal;
  }

  /** Executes the plan, and gives the remainder's handle where one rests. */
  commit(): Handle | undefined {
    assert(this.#planned, 'only a plan that was not refused can be committed, and once');
    this.#planned = false;
    const { fills } = this;
    const makers = this.#of(opposite(this.#side));
    for (let index = 0; index < fills.count; index++) makers.take(fills.maker(index), fills.size(index));
    if (this.#rest === 0 || this.#price === undefined) return undefined;
    return this.#of(this.#side).add(this.#price, this.#rest as Lots);
  }

  /** The handle must be of an order that rests. */
  cancel(handle: Handle): void {
    this.#of(sideOfHandle(handle)).remove(handle);
  }

  /** Takes less than all of an order that rests out of the book; it keeps its place. */
  shrink(handle: Handle, size: Lots): void {
    this.#of(sideOfHandle(handle)).take(handle, size);
  }

  #of(side: Side): Ladder {
    return side === 'bid' ? this.#bids : this.#asks;
  }

  #refusal(mode: FillMode, size: Lots): MatchRefusal | undefined {
    switch (mode) {
      case 'LIMIT':
        return undefined;
      case 'POST_ONLY':
        return this.fills.count > 0 ? 'POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS' : undefined;
      case 'IMMEDIATE_OR_CANCEL':
        return this.fills.count === 0 ? 'IMMEDIATE_ORDER_GOT_NO_FILLS' : undefined;
      case 'FILL_OR_KILL':
        return this.fills.total < size ? 'ORDER_EXECUTION_FILL_OR_KILL' : undefined;
      default:
        return unreachable(mode);
    }
  }
}
