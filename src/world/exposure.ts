// What we may hold in a market at the worst: the position as a range, and all that can still fill.
import type { Millis } from '../base/clock.ts';
import type { Account } from '../domain/account.ts';
import type { AccountSeen, OrderOpened } from '../domain/event.ts';
import { type ActionId, compareIds, type MarketId, type TradeId, type UpdateId } from '../domain/ids.ts';
import { type Lots, lots, type Ticks } from '../domain/numbers.ts';
import type { Fill, Order } from '../domain/order.ts';
import { type Side, signOf } from '../domain/side.ts';

/**
 * `low` and `high` bound the position, unknown orders filled or not; `bids` and `asks` are all else that may rest, those on their way included. So
 * an unknown order counts once, as the worse of open and filled.
 */
export interface Exposure {
  readonly low: Lots;
  readonly high: Lots;
  readonly bids: Lots;
  readonly asks: Lots;
}

/** Executed, but told after the newest account was asked for, so that the account may hold it already or not. */
interface LateTrade {
  readonly market: MarketId;
  readonly change: number;
  readonly told: Millis;
  /** The account's `updateId` when it was told. */
  readonly accountThen: UpdateId | undefined;
  readonly actionId: ActionId;
  readonly tradeId?: TradeId | undefined;
}

export class LateTrades {
  #trades: readonly LateTrade[] = [];

  /** What a receipt says was taken at once; the exchange's own record of it replaces it when it comes. */
  taken(order: Order, { taken, actionId, at }: OrderOpened, account: Account | undefined): void {
    const size = taken.reduce((sum, level) => sum + level.size, 0);
    const change = signOf(order.side) * size;
    if (size > 0) this.#trades = [...this.#trades, { market: order.market, change, told: at, accountThen: account?.updateId, actionId }];
  }

  filled(fills: readonly Fill[], told: Millis, account: Account | undefined): void {
    const fresh = fills.filter(({ tradeId }) => !this.#trades.some((late) => late.tradeId === tradeId));
    const replaced = new Set(fresh.map(({ actionId }) => actionId));
    this.#trades = [
      ...this.#trades.filter(({ actionId, tradeId }) => tradeId !== undefined || !replaced.has(actionId)),
      ...fresh.map(
        ({ market, side, size, actionId, tradeId }): LateTrade => ({
          market,
          change: signOf(side) * size,
          told,
          accountThen: account?.updateId,
          actionId,
          tradeId,
        }),
      ),
    ];
  }

  /** An account asked for after a trade was told, and moved since, holds it for certain. */
  accountSeen({ account, asked }: AccountSeen): void {
    this.#trades = this.#trades.filter((late) => {
      const moved = late.accountThen === undefined || compareIds(account.updateId, late.accountThen) > 0;
      return !(asked >= late.told && moved) && !holds(account, late);
    });
  }

  /** Bounds of what these trades add to the position that the account shows. */
  range(market: MarketId): { low: number; high: number } {
    let [low, high] = [0, 0];
    for (const { market: where, change } of this.#trades) {
      if (where !== market) continue;
      low += Math.min(0, change);
      high += Math.max(0, change);
    }
    return { low, high };
  }
}

/** True when the position that the account shows is of an action as new as the trade's. */
function holds(account: Account, { market, actionId }: LateTrade): boolean {
  const position = account.positions.find((held) => held.market === market);
  return position !== undefined && compareIds(position.actionId, actionId) >= 0;
}

export function exposureOf(
  market: MarketId,
  { account, late, orders }: { account: Account | undefined; late: LateTrades; orders: Iterable<Order> },
): Exposure {
  const held = account?.positions.find((position) => position.market === market)?.size ?? 0;
  const { low, high } = late.range(market);
  const resting = { bid: 0, ask: 0 };
  const maybeFilled = { bid: 0, ask: 0 };
  for (const order of orders) {
    if (order.market !== market) continue;
    const count = order.status === 'unknown' ? maybeFilled : resting;
    count[order.side] += order.remaining;
  }
  return {
    low: lots(held + low - maybeFilled.ask),
    high: lots(held + high + maybeFilled.bid),
    bids: lots(resting.bid),
    asks: lots(resting.ask),
  };
}

/** The exposure with another order beside it, resting. */
export function withOrder(exposure: Exposure, { side, size }: { side: Side; size: Lots }): Exposure {
  return side === 'bid' ? { ...exposure, bids: lots(exposure.bids + size) } : { ...exposure, asks: lots(exposure.asks + size) };
}

/** The largest position, in either direction, that all this could lead to. */
export const worstPosition = ({ low, high, bids, asks }: Exposure): Lots => lots(Math.max(Math.abs(high + bids), Math.abs(low - asks)));

/** True when an order can only bring the position nearer to flat, whatever has filled by now and whatever else fills with it. */
export function reduces(exposure: Exposure, { side, size }: { side: Side; size: Lots }): boolean {
  return side === 'bid'
    ? exposure.high < 0 && exposure.bids + size <= -exposure.high
    : exposure.low > 0 && exposure.asks + size <= exposure.low;
}

/** Where a price is the worst for a side: what a bid would pay at the most, an ask receive at the least. */
export const worstPrice = (side: Side, a: Ticks, b: Ticks): Ticks =>
  side === 'bid' ? (Math.max(a, b) as Ticks) : (Math.min(a, b) as Ticks);
