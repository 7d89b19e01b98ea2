// The order book of a market that follows a recording, with our resting orders in its queues, and the rules by which they fill.
// In this folder: `playback.ts` plays the rows of a recording (`recording.ts`), `side.ts` and `queue.ts` keep our orders, `depth.ts`, `window-half.ts` and
// `depth-window.ts` keep the recorded totals, `orders-by-id.ts` follows recorded orders that have ids, `candle-times.ts` and `candle-path.ts` play
// candles, `funding-schedule.ts` schedules funding.
import { assert } from '../../../base/errors.ts';
import { type Level, opposite, type Side } from '../../../bot/domain/book.ts';
import { type Lots, lots, type Ticks } from '../../../bot/domain/numbers.ts';
import { canRest, type FillMode } from '../../../bot/domain/order.ts';
import { ASK_BIT, KIND_BITS, LAST_BIT, ROW, type Rows, type Stamp } from '../../rows/rows.ts';
import { Fills } from '../book/fills.ts';
import { type Handle, sideOfHandle } from '../book/ladder.ts';
import { type MarketBook, type MatchRefusal, refusalByFills, refusalByForm } from '../book/market-book.ts';
import { NOT_WATCHED } from './depth.ts';
import { DepthWindow } from './depth-window.ts';
import { OrdersById } from './orders-by-id.ts';
import { cancelShare, type QueueModel } from './queue.ts';
import { RECORDED_MAKER, RecordedSide, type SideOptions } from './side.ts';

/** A fill of our resting order, at its price. */
export interface OwnFill {
  readonly handle: Handle;
  readonly price: Ticks;
  readonly size: Lots;
  readonly time: Stamp;
}

export interface RecordedBookOptions {
  readonly queue: QueueModel;
  /** Maximum number of levels per side in `levels`. */
  readonly depth?: number;
  /** Width in ticks, per side, of the fast window around the best price: a power of two, at least 8. */
  readonly window?: number;
}

const NO_FILLS: readonly OwnFill[] = [];

/**
 * The recording has the actions of others, which do not react to our orders. Our fills follow from the rules below; if a recording is ambiguous, they
 * prefer fewer and later fills. P is the price of one of our orders. The rules are written for bids; asks are symmetric.
 *
 * - Arrival. The size ahead of an order is the recorded size at P, minus what we took there, plus our earlier orders at P.
 * - A print at P whose taker sells. It consumes the size ahead; the rest fills our orders, first in first out, in whole lots.
 * - A print below P. The market traded through P: no size is ahead any more, and our orders fill up to the print's size.
 * - The lots of a print are used once: the best-priced of our orders come first, then the earlier; a lot that filled one of them neither fills another
 *   nor consumes the size ahead of it.
 * - A row that raises the total at P. The added size is behind our orders.
 * - A row that lowers the total at P. The reduction first accounts for prints at P since the last change, and for a later print with the same time
 *   stamp; these lots are not counted twice. The rest was cancelled, and the queue model decides which part of it was ahead of our orders. In every
 *   model, the size ahead is at most the total.
 * - A recorded ask at P or below, once the batch is complete (the bit `last`; within a batch a book may be crossed). It would have traded with our
 *   orders: those with no recorded size ahead fill at their own price, best first, up to the size of that ask. Its lots are used once, until the tape
 *   has another row about that level.
 * - An order of ours that takes. It trades with recorded levels and our own orders on the other side at the maker's price, best price first; at one
 *   price, the recorded lots come first. The taken size is missing from the level until the tape has another row about it.
 * - `clear` and the snapshot that follows. Our orders keep their places; the size ahead is at most the snapshot's. With order ids, recorded orders that
 *   the snapshot lists again at the same price, with no larger size, have kept their places, and all others came after our orders.
 * - Rows with order ids give the totals of their levels. A recorded order that moves or grows goes to the end of the queue.
 */
export class RecordedBook implements MarketBook {
  readonly fills = new Fills();
  readonly #depthWindow: DepthWindow;
  readonly #bids: RecordedSide;
  readonly #asks: RecordedSide;
  readonly #depth: number;
  readonly #ordersById: OrdersById;
  #ownFills: OwnFill[] = [];
  /** True between a `clear` and the last row of the snapshot that follows. */
  #replacing = false;
  #planned: { side: Side; price: Ticks | undefined; rest: Lots } | undefined;

  constructor({ queue, depth = 50, window = 1 << 19 }: RecordedBookOptions) {
    this.#depthWindow = new DepthWindow(window);
    const options: SideOptions = {
      depthWindow: this.#depthWindow,
      share: cancelShare(queue),
      onFill: ({ handle, queue: { price } }, size, time) => this.#ownFills.push({ handle, price, size, time }),
    };
    this.#bids = new RecordedSide('bid', options);
    this.#asks = new RecordedSide('ask', options);
    this.#bids.setOpposite(this.#asks);
    this.#asks.setOpposite(this.#bids);
    this.#depth = depth;
    this.#ordersById = new OrdersById({
      onLeave: ({ side, price, arrival }, size, time) => {
        if (queue.kind === 'exact') this.#of(side).removeRecorded(price as Ticks, size, { arrival, time });
      },
      onTotal: ({ side, price }, total, time) => {
        const watchId = this.#of(side).depth.put(price, total);
        if (watchId !== NOT_WATCHED) this.#of(side).lowerTotal(watchId, total, time);
      },
    });
  }

  /** Applies rows from `from` to before `end` while they are of kind `level`, `clear` or `order`. Returns the index of the first row not applied. */
  follow(rows: Rows, from: number, end: number): number {
    for (let at = from; at < end; at++) {
      if (!this.#isBatchOpen) at = this.#depthWindow.follow(rows, at, end);
      if (at === end || !this.#followOne(rows, at)) return at;
      if (this.#isBatchOpen && (rows.codes[at]! & LAST_BIT) !== 0) this.#endBatch(rows, at);
    }
    return end;
  }

  /** True if work remains for the end of the batch. */
  get #isBatchOpen(): boolean {
    return this.#replacing || this.#bids.depth.crossesOurs || this.#asks.depth.crossesOurs;
  }

  /** Applies one row; returns false if it is of another kind. */
  #followOne(rows: Rows, at: number): boolean {
    const { times, codes, prices, sizes } = rows;
    if ((codes[at]! & KIND_BITS) !== ROW.level) return this.#followOther(rows, at);
    const side = this.#of((codes[at]! & ASK_BIT) === 0 ? 'bid' : 'ask');
    const watchId = side.depth.put(prices[at]!, sizes[at]!);
    if (watchId !== NOT_WATCHED) side.lowerTotal(watchId, sizes[at]!, times[at]!);
    return true;
  }

  /** Applies a recorded execution: fills our orders at its price and at better ones. */
  trade(takerSide: Side, price: Ticks, size: Lots, time: Stamp): void {
    this.#of(opposite(takerSide)).print(price, size, time);
  }

  /**
   * Returns the fills of our resting orders since the last call, oldest first. Call it before an order is placed: the order may get the handle of a
   * filled one.
   */
  takeOwnFills(): readonly OwnFill[] {
    const fills = this.#ownFills;
    if (fills.length === 0) return NO_FILLS;
    this.#ownFills = [];
    return fills;
  }

  /** The best recorded level of a side, without our orders. */
  recordedTop(side: Side): Level | undefined {
    const { depth } = this.#of(side);
    return depth.best === undefined ? undefined : { price: depth.best, size: lots(depth.total(depth.best)) };
  }

  /** The best prices of our orders. */
  get ownBest(): { readonly bid: Ticks | undefined; readonly ask: Ticks | undefined } {
    return { bid: this.#bids.ownBest, ask: this.#asks.ownBest };
  }

  best(side: Side): Ticks | undefined {
    return this.#of(side).best;
  }

  levels(side: Side): readonly Level[] {
    return this.#of(side).levels(this.#depth);
  }

  plan(side: Side, mode: FillMode, size: Lots, price: Ticks | undefined): MatchRefusal | undefined {
    this.fills.clear();
    this.#planned = undefined;
    const unfit = refusalByForm(mode, size, price);
    if (unfit !== undefined) return unfit;
    this.#of(opposite(side)).plan(this.fills, size, price);
    const refusal = refusalByFills(mode, size, this.fills);
    if (refusal === undefined) this.#planned = { side, price, rest: (canRest(mode) ? size - this.fills.total : 0) as Lots };
    return refusal;
  }

  commit(): Handle | undefined {
    assert(this.#planned !== undefined, 'only a plan that was not refused can be committed, and once');
    assert(this.#ownFills.length === 0, 'the fills of resting orders must be taken before another order is placed');
    const { side, price, rest } = this.#planned;
    this.#planned = undefined;
    const makers = this.#of(opposite(side));
    const { fills } = this;
    for (let index = 0; index < fills.count; index++) {
      if (fills.maker(index) === RECORDED_MAKER) makers.takeRecorded(fills.price(index), fills.size(index));
      else makers.take(fills.maker(index), fills.size(index));
    }
    return rest > 0 && price !== undefined ? this.#of(side).add(price, rest, this.#ordersById.arrive()) : undefined;
  }

  cancel(handle: Handle): void {
    this.#of(sideOfHandle(handle)).remove(handle);
  }

  shrink(handle: Handle, size: Lots): void {
    this.#of(sideOfHandle(handle)).take(handle, size);
  }

  #of(side: Side): RecordedSide {
    return side === 'bid' ? this.#bids : this.#asks;
  }

  #followOther({ times, codes, prices, sizes, orders }: Rows, at: number): boolean {
    const kind = codes[at]! & KIND_BITS;
    if (kind === ROW.order) {
      const side = (codes[at]! & ASK_BIT) === 0 ? 'bid' : 'ask';
      assert(orders !== undefined, 'a row about an order in a tape without order ids');
      this.#ordersById.apply(orders[at]!, { side, price: prices[at]!, size: sizes[at]! }, times[at]!);
      return true;
    }
    if (kind !== ROW.clear) return false;
    this.#replacing = true;
    for (const side of [this.#bids, this.#asks]) side.depth.clear();
    this.#ordersById.beginSnapshot();
    return true;
  }

  /** Finishes a complete batch. */
  #endBatch({ times }: Rows, at: number): void {
    const time = times[at]!;
    if (this.#replacing) {
      this.#replacing = false;
      this.#ordersById.endSnapshot(time);
      for (const side of [this.#bids, this.#asks]) side.applySnapshot(time);
    }
    this.#fillCrossed(this.#bids, this.#asks, time);
    this.#fillCrossed(this.#asks, this.#bids, time);
  }

  /** Fills our orders from recorded orders at or beyond our price, each lot once until the next row about its level. */
  #fillCrossed(ours: RecordedSide, theirs: RecordedSide, time: Stamp): void {
    while (theirs.depth.crossesOurs) {
      const price = theirs.depth.best!;
      const filled = ours.fillAgainst(price, theirs.depth.total(price), time);
      if (filled === 0) return;
      theirs.takeRecorded(price, filled);
    }
  }
}
