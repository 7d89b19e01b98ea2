// The matching engine of one market: price-time priority, in whole ticks and lots. On a recorded market (a tape) orders are matched by
// `embedded/exchange/recorded/recorded-fills.ts` instead.
import { assert } from '../../../base/errors.ts';
import { type Level, opposite, type Side } from '../../../bot/domain/book.ts';
import type { Lots, Ticks } from '../../../bot/domain/numbers.ts';
import { canRest, type FillMode } from '../../../bot/domain/order.ts';
import { Fills } from './fills.ts';
import { type Handle, Ladder, sideOfHandle } from './ladder.ts';
import { type MarketBook, type MatchRefusal, refusalByFills, refusalByForm } from './market-book.ts';

/** The order book of a market of traders. Orders have no owner here, so an account's own orders can trade with each other. */
export class OrderBook implements MarketBook {
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

  levels(side: Side): readonly Level[] {
    return this.#of(side).levels();
  }

  plan(side: Side, mode: FillMode, size: Lots, price: Ticks | undefined): MatchRefusal | undefined {
    this.fills.clear();
    this.#planned = false;
    const unfit = refusalByForm(mode, size, price);
    if (unfit !== undefined) return unfit;
    this.#of(opposite(side)).plan(this.fills, size, price);
    const refusal = refusalByFills(mode, size, this.fills);
    this.#planned = refusal === undefined;
    this.#side = side;
    this.#price = price;
    this.#rest = canRest(mode) ? size - this.fills.total : 0;
    return refusal;
  }

  commit(): Handle | undefined {
    assert(this.#planned, 'only a plan that was not refused can be committed, and once');
    this.#planned = false;
    const { fills } = this;
    const makers = this.#of(opposite(this.#side));
    for (let index = 0; index < fills.count; index++) makers.take(fills.maker(index), fills.size(index));
    if (this.#rest === 0 || this.#price === undefined) return undefined;
    return this.#of(this.#side).add(this.#price, this.#rest as Lots);
  }

  cancel(handle: Handle): void {
    this.#of(sideOfHandle(handle)).remove(handle);
  }

  shrink(handle: Handle, size: Lots): void {
    this.#of(sideOfHandle(handle)).take(handle, size);
  }

  #of(side: Side): Ladder {
    return side === 'bid' ? this.#bids : this.#asks;
  }
}
