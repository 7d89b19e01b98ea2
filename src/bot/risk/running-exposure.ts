// The worst case of each market during a review: the standing orders, and the new orders passed so far.

import type { Side } from '../domain/book.ts';
import type { MarketId } from '../domain/ids.ts';
import { type Lots, lots, type Ticks } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { type Exposure, withOrder } from '../world/exposure.ts';
import type { World } from '../world/world.ts';
import type { Candidate, Circumstances } from './guard.ts';

/** A new order that all guards have passed. */
interface Passed {
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly remaining: Lots;
}

/** The circumstances that guards see, updated during one review. */
export class RunningExposure implements Circumstances {
  readonly world: World;
  readonly #passed: Passed[] = [];
  /** Created on the first `add`: most reviews add no order. */
  #exposures: Map<MarketId, Exposure> | undefined;

  constructor(world: World) {
    this.world = world;
  }

  /** Returns our orders of a market: those that stand, and those that the review has passed. */
  own(market: MarketId): ReturnType<Circumstances['own']> {
    const orders = this.world.orders(market);
    return this.#passed.length === 0 ? orders : [...orders, ...this.#passed.filter((passed) => passed.market === market)];
  }

  /** Number of new orders that the review has passed. */
  passed(): number {
    return this.#passed.length;
  }

  exposure(market: MarketId): Exposure {
    return this.#exposures?.get(market) ?? this.world.exposure(market);
  }

  /** Returns the circumstances without one of our orders. */
  without(gone: Order): Circumstances {
    return new Without(this, gone);
  }

  /** Adds a new order of which the guards have passed `size`. */
  place({ market: { id }, side, price }: Pick<Candidate, 'market' | 'side' | 'price'>, size: Lots): void {
    if (size === 0) return;
    this.#passed.push({ market: id, side, price, remaining: size });
    this.add(id, side, size);
  }

  /** Adds a resting order; a negative size removes one. */
  add(market: MarketId, side: Side, size: number): void {
    this.#exposures ??= new Map();
    this.#exposures.set(market, withOrder(this.exposure(market), { side, size: lots(size) }));
  }
}

/** The circumstances without one of our orders. */
class Without implements Circumstances {
  readonly world: World;
  readonly #all: Circumstances;
  readonly #gone: Order;

  constructor(all: Circumstances, gone: Order) {
    this.world = all.world;
    this.#all = all;
    this.#gone = gone;
  }

  own(market: MarketId): ReturnType<Circumstances['own']> {
    return this.#all.own(market).filter((order) => order !== this.#gone);
  }

  passed(): number {
    return this.#all.passed();
  }

  exposure(market: MarketId): Exposure {
    const { side, remaining, market: its } = this.#gone;
    const exposure = this.#all.exposure(market);
    return market === its ? withOrder(exposure, { side, size: lots(-remaining) }) : exposure;
  }
}
