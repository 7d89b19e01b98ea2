// A naive exchange that implements the port of a flow: one array per side, sorted after every order.

import type { Millis } from '../../../../src/base/clock.ts';
import { assert } from '../../../../src/base/errors.ts';
import { crosses, opposite, type Side, signOf } from '../../../../src/bot/domain/book.ts';
import type { Market } from '../../../../src/bot/domain/market.ts';
import { type Lots, lots, type Ticks } from '../../../../src/bot/domain/numbers.ts';
import type { FlowPort } from '../../../../src/embedded/exchange/traders/flow-port.ts';

export type Placed = Parameters<FlowPort['place']>[0];

export interface NaiveTrade {
  readonly at: Millis;
  readonly taker: number;
  readonly maker: number;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
}

interface Resting {
  readonly orderId: string;
  readonly trader: number;
  readonly price: Ticks;
  size: number;
}

/** An account that does not belong to the flow. */
export const FOREIGN_ACCOUNT = -1;

export class NaivePort implements FlowPort {
  now: Millis = 0;
  readonly market: Market;
  readonly placed: Placed[] = [];
  readonly trades: NaiveTrade[] = [];
  /** Post-only orders that would have crossed. */
  refused = 0;
  readonly #sides: Record<Side, Resting[]> = { bid: [], ask: [] };
  readonly #positions = new Map<number, number>();

  constructor(market: Market) {
    this.market = market;
  }

  best(side: Side): Ticks | undefined {
    return this.#sides[side][0]?.price;
  }

  resting(side: Side): readonly Readonly<Resting>[] {
    return [...this.#sides[side]];
  }

  /** The number of price levels of a side. */
  levels(side: Side): number {
    return new Set(this.#sides[side].map(({ price }) => price)).size;
  }

  place(order: Placed): string | undefined {
    const { trader, side, fillMode, price, size } = order;
    assert(Number.isSafeInteger(size) && size > 0, `size ${size}`);
    assert(price !== undefined && Number.isSafeInteger(price) && price > 0, `price ${price}`);
    this.placed.push(order);
    const touch = this.best(opposite(side));
    if (fillMode === 'POST_ONLY' && touch !== undefined && crosses(side, price, touch)) {
      this.refused += 1;
      return undefined;
    }
    const left = this.#match(order, price);
    if (left === 0 || fillMode === 'IMMEDIATE_OR_CANCEL') return undefined;
    const orderId = String(this.placed.length);
    this.#sides[side].push({ orderId, trader, price, size: left });
    this.#sides[side].sort((a, b) => signOf(side) * (b.price - a.price) || Number(a.orderId) - Number(b.orderId));
    return orderId;
  }

  cancel({ trader, orderId }: { trader: number; orderId: string }): void {
    for (const orders of Object.values(this.#sides)) {
      const found = orders.findIndex((order) => order.orderId === orderId && order.trader === trader);
      if (found >= 0) orders.splice(found, 1);
    }
  }

  position(trader: number): Lots {
    return lots(this.#positions.get(trader) ?? 0);
  }

  #match({ trader, side, size }: Placed, price: Ticks): number {
    const others = this.#sides[opposite(side)];
    let left: number = size;
    for (let first = others[0]; left > 0 && first !== undefined && crosses(side, price, first.price); first = others[0]) {
      const traded = Math.min(left, first.size);
      left -= traded;
      first.size -= traded;
      if (first.size === 0) others.shift();
      this.#move(trader, signOf(side) * traded);
      this.#move(first.trader, -signOf(side) * traded);
      this.trades.push({ at: this.now, taker: trader, maker: first.trader, side, price: first.price, size: lots(traded) });
    }
    return left;
  }

  #move(trader: number, by: number): void {
    this.#positions.set(trader, (this.#positions.get(trader) ?? 0) + by);
  }
}
