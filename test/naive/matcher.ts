// A reference implementation of price-time matching: one list of orders, sorted again for every new order.

import { crosses, type Side } from '../../src/bot/domain/book.ts';
import type { FillMode } from '../../src/bot/domain/order.ts';

interface Resting {
  readonly id: number;
  readonly side: Side;
  readonly price: number;
  size: number;
}

export interface NaiveOutcome {
  readonly refusal?: string;
  readonly fills: readonly { readonly maker: number; readonly price: number; readonly size: number }[];
  readonly rests: boolean;
}

const REFUSED = (refusal: string): NaiveOutcome => ({ refusal, fills: [], rests: false });

export class NaiveMatcher {
  #orders: Resting[] = [];

  place({
    id,
    side,
    mode,
    price,
    size,
  }: {
    id: number;
    side: Side;
    mode: FillMode;
    price?: number | undefined;
    size: number;
  }): NaiveOutcome {
    if (size === 0) return REFUSED('ORDER_SIZE_ZERO');
    if (price === undefined && (mode === 'LIMIT' || mode === 'POST_ONLY')) return REFUSED('ORDER_EXECUTION_MISSING_PRICE');
    const makers = this.#orders
      .filter((order) => order.side !== side && (price === undefined || crosses(side, price, order.price)))
      .toSorted((a, b) => (side === 'bid' ? a.price - b.price : b.price - a.price) || a.id - b.id);
    const fills = [];
    let left = size;
    for (const maker of makers) {
      const taken = Math.min(left, maker.size);
      if (taken > 0) fills.push({ maker: maker.id, price: maker.price, size: taken });
      left -= taken;
    }
    if (mode === 'POST_ONLY' && fills.length > 0) return REFUSED('POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS');
    if (mode === 'IMMEDIATE_OR_CANCEL' && fills.length === 0) return REFUSED('IMMEDIATE_ORDER_GOT_NO_FILLS');
    if (mode === 'FILL_OR_KILL' && left > 0) return REFUSED('ORDER_EXECUTION_FILL_OR_KILL');
    for (const fill of fills) this.#orders.find((order) => order.id === fill.maker)!.size -= fill.size;
    this.#orders = this.#orders.filter((order) => order.size > 0);
    const rests = left > 0 && (mode === 'LIMIT' || mode === 'POST_ONLY');
    if (rests) this.#orders.push({ id, side, price: price!, size: left });
    return { fills, rests };
  }

  cancel(id: number): void {
    this.#orders = this.#orders.filter((order) => order.id !== id);
  }

  get resting(): readonly number[] {
    return this.#orders.map(({ id }) => id);
  }

  levels(side: Side): readonly { readonly price: number; readonly size: number }[] {
    const mine = this.#orders.filter((order) => order.side === side);
    const prices = [...new Set(mine.map(({ price }) => price))].toSorted((a, b) => (side === 'bid' ? b - a : a - b));
    const total = (price: number): number => mine.filter((order) => order.price === price).reduce((sum, { size }) => sum + size, 0);
    return prices.map((price) => ({ price, size: total(price) }));
  }
}
