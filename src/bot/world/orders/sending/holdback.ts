// Back-off after refusals by the exchange: a refused order is not sent again at once.
// After the pause the order is not repeated: the next turn compares its intents with its orders and its position (`bot/execution/reconcile.ts`).
import type { Millis } from '../../../../base/clock.ts';
import type { Side } from '../../../domain/book.ts';
import type { MarketId } from '../../../domain/ids.ts';
import type { Ticks } from '../../../domain/numbers.ts';
import type { Order } from '../../../domain/order.ts';

const FIRST_PAUSE: Millis = 500;
const LONGEST_PAUSE: Millis = 30_000;
/** More refused prices of one side are forgotten, so that a strategy whose prices move does not fill the memory. */
const MAX_PRICES = 100;

interface Refused {
  readonly until: Millis;
  readonly pause: Millis;
  readonly reason: string;
}

/** One pause per side of a market. It doubles with each refusal until an order is accepted after the pause. */
export class Holdback {
  readonly #refused = new Map<string, Refused>();
  /** Number of refused post-only orders by side of a market and price, since one was accepted there. */
  readonly #postOnlyRefusals = new Map<string, Map<Ticks, number>>();

  refused(order: Order, { at, reason }: { at: Millis; reason: string }): void {
    const key = keyOf(order);
    if (order.fillMode === 'POST_ONLY' && WOULD_TRADE.test(reason)) this.#countPostOnlyRefusal(key, order.price);
    const before = this.#refused.get(key);
    if (before !== undefined && at < before.until) return; // one of a batch that was refused together
    const pause = before === undefined ? FIRST_PAUSE : Math.min(LONGEST_PAUSE, before.pause * 2);
    this.#refused.set(key, { until: at + pause, pause, reason });
  }

  accepted(order: Order, at: Millis): void {
    if (this.#postOnlyRefusals.size > 0) this.#postOnlyRefusals.get(keyOf(order))?.delete(order.price);
    if (this.#refused.size === 0) return;
    const refused = this.#refused.get(keyOf(order));
    if (refused !== undefined && at >= refused.until) this.#refused.delete(keyOf(order));
  }

  /** True while no side is held back. */
  get isEmpty(): boolean {
    return this.#refused.size === 0;
  }

  /** Returns why nothing may be placed on this side now; undefined if placing is allowed. */
  reason({ market, side, now }: { market: MarketId; side: Side; now: Millis }): string | undefined {
    if (this.#refused.size === 0) return undefined;
    const refused = this.#refused.get(keyOf({ market, side }));
    return refused !== undefined && now < refused.until ? refused.reason : undefined;
  }

  /** Returns how many post-only orders were refused because they would have traded, by price, since one was accepted there; undefined if none was. */
  postOnlyRefusals(of: { market: MarketId; side: Side }): ReadonlyMap<Ticks, number> | undefined {
    const refusals = this.#postOnlyRefusals.size === 0 ? undefined : this.#postOnlyRefusals.get(keyOf(of));
    return refusals === undefined || refusals.size === 0 ? undefined : refusals;
  }

  #countPostOnlyRefusal(key: string, price: Ticks): void {
    const prices = this.#postOnlyRefusals.get(key) ?? new Map<Ticks, number>();
    this.#postOnlyRefusals.set(key, prices);
    const before = prices.get(price) ?? 0;
    prices.delete(price); // the newest is last
    prices.set(price, before + 1);
    const oldest = prices.keys().next().value;
    if (prices.size > MAX_PRICES && oldest !== undefined) prices.delete(oldest);
  }
}

/** The refusal of a post-only order, by its name or in words of different exchanges. */
const WOULD_TRADE = /post.?only|maker.?only|would.+(cross|trad|match|take|execut|fill)|immediately/i;

const keyOf = ({ market, side }: { market: MarketId; side: Side }): string => `${market}/${side}`;
