// The worst case of each market during a review: the standing orders, and the new orders passed so far.
import type { MarketId } from '../domain/ids.ts';
import { type Lots, lots, type Ticks } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import type { Side } from '../domain/side.ts';
import { type Exposure, withOrder } from '../world/exposure.ts';
import type { World } from '../world/world.ts';
import type { Circumstances } from './guard.ts';

/** A new order that all guards have passed. */
export interface Passed {
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly remaining: Lots;
}

/** The circumstances that guards see, updated during one review. */
export class RunningExposure implements Circumstances {
  readonly world: World;
  readonly #passed: readonly Passed[];
  /** Created on the first `add`: most reviews add no order. */
  #exposures: Map<MarketId, { low: Lots; high: Lots; bids: Lots; asks: Lots }> | undefined;

  constructor(world: World, passed: readonly Passed[]) {
    this.world = world;
    this.#passed = passed;
  }

  own(market: MarketId): ReturnType<Circumstances['own']> {
    const orders = this.world.orders(market);
    return this.#passed.length === 0 ? orders : [...orders, ...this.#passed.filter((passed) => passed.market === market)];
  }

  passed(): number {
    return this.#passed.length;
  }

  exposure(market: MarketId): Exposure {
    return this.#exposures?.get(market) ?? this.world.exposure(market);
  }

  /** Returns the circumstances without one of our orders. */
  without(gone: Order): Circumstances {
    return {
      world: this.world,
      own: (market) => this.own(market).filter((order) => order !== gone),
      passed: () => this.passed(),
      exposure: (market) => {
        const exposure = this.exposure(market);
        return market === gone.market ? withOrder(exposure, { side: gone.side, size: lots(-gone.remaining) }) : exposure;
      },
    };
  }

  /** Adds a resting order; a negative size removes one. */
  add(market: MarketId, side: Side, size: number): void {
    this.#exposures ??= new Map();
    let exposure = this.#exposures.get(market);
    if (exposure === undefined) {
      const { low, high, bids, asks } = this.world.exposure(market);
      exposure = { low, high, bids, asks };
      this.#exposures.set(market, exposure);
    }
    if (side === 'bid') exposure.bids = lots(exposure.bids + size);
    else exposure.asks = lots(exposure.asks + size);
  }
}
