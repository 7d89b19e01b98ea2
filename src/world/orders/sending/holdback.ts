// Back-off after refusals by the exchange: a refused order is not sent again at once.
// After the pause, the turn compares what the strategy wants then with the orders and the position of then (`execution/reconcile.ts`).
import type { Millis } from '../../../base/clock.ts';
import type { MarketId } from '../../../domain/ids.ts';
import type { Order } from '../../../domain/order.ts';
import type { Side } from '../../../domain/side.ts';

const FIRST_PAUSE: Millis = 500;
const LONGEST_PAUSE: Millis = 30_000;

interface Refused {
  readonly until: Millis;
  readonly pause: Millis;
  readonly reason: string;
}

/** One pause per side of a market. It doubles with each refusal until an order is accepted after the pause. */
export class Holdback {
  readonly #refused = new Map<string, Refused>();

  refused(order: Order, { at, reason }: { at: Millis; reason: string }): void {
    const key = keyOf(order);
    const before = this.#refused.get(key);
    if (before !== undefined && at < before.until) return; // one of a batch that was refused together
    const pause = before === undefined ? FIRST_PAUSE : Math.min(LONGEST_PAUSE, before.pause * 2);
    this.#refused.set(key, { until: at + pause, pause, reason });
  }

  accepted(order: Order, at: Millis): void {
    if (this.#refused.size === 0) return;
    const refused = this.#refused.get(keyOf(order));
    if (refused !== undefined && at >= refused.until) this.#refused.delete(keyOf(order));
  }

  /** Returns why nothing may be placed on this side now; undefined if placing is allowed. */
  reason({ market, side, now }: { market: MarketId; side: Side; now: Millis }): string | undefined {
    if (this.#refused.size === 0) return undefined;
    const refused = this.#refused.get(keyOf({ market, side }));
    return refused !== undefined && now < refused.until ? refused.reason : undefined;
  }
}

const keyOf = ({ market, side }: { market: MarketId; side: Side }): string => `${market}/${side}`;
