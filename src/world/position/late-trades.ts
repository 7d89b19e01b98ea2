// Executed trades of ours that the newest account may hold already or not.
import type { Millis } from '../../base/clock.ts';
import type { Account } from '../../domain/account.ts';
import type { AccountSeen, FillsSeen, OrderOpened } from '../../domain/event.ts';
import { type ActionId, compareIds, type MarketId, type TradeId, type UpdateId } from '../../domain/ids.ts';
import { lots, type Ticks } from '../../domain/numbers.ts';
import { canRest, type Fill, type Order } from '../../domain/order.ts';
import { type Side, signOf } from '../../domain/side.ts';
import { LAG } from '../orders/proof.ts';
import type { Unlisted } from './spot-fills.ts';

/** What one action traded for us, as its receipt, the exchange's record of trades or both have told it. */
interface LateTrade {
  readonly market: MarketId;
  readonly side: Side;
  readonly actionId: ActionId;
  /** When the first word of it came. */
  readonly told: Millis;
  /** Of an account that cannot hold it. */
  readonly accountThen: UpdateId | undefined;
  readonly role: Fill['role'];
  /** Of the order, where a receipt told first. */
  readonly limit: Ticks | undefined;
  /** By the receipt. */
  taken: number;
  /** By the record. */
  readonly fills: Map<TradeId, number>;
}

const SIDES: readonly Side[] = ['bid', 'ask'];

export class LateTrades {
  readonly #trades = new Map<string, LateTrade>();
  /** What an earlier process knew to be held: it may have been told of trades that the first accounts of this one, which may lag, do not hold. */
  readonly #inherited = new Map<MarketId, number>();
  #firstAsked: Millis | undefined;
  #account: Account | undefined;
  /** Of the accounts that stood when the last round of fills came, and the one before it. */
  #last: UpdateId | undefined;
  #lastButOne: UpdateId | undefined;

  get none(): boolean {
    return this.#trades.size === 0 && this.#inherited.size === 0;
  }

  inherit(positions: Iterable<readonly [MarketId, number]>): void {
    for (const [market, size] of positions) this.#inherited.set(market, size);
  }

  /** What a receipt says was taken at once; all that can have been, where it does not say and nothing rests. */
  taken({ market, side, accountThen, price: limit, size: all, fillMode }: Order, { taken, resting, actionId, at }: OrderOpened): void {
    const saysAll = resting !== undefined || canRest(fillMode);
    const size = saysAll ? taken.reduce((sum, level) => sum + level.size, 0) : all;
    if (size > 0) this.#trade({ market, side, actionId, role: 'taker', told: at, accountThen, limit }).taken = size;
    this.#forget((late) => this.#holds(late));
  }

  /** A round tells what was traded after the one before it was asked for, and that was after the one before that had come. */
  filled({ fills, at }: FillsSeen): void {
    const now = this.#account?.updateId;
    const accountThen = this.#lastButOne ?? now;
    for (const { market, side, role, actionId, tradeId, size } of fills) {
      this.#trade({ market, side, actionId, role, told: at, accountThen, limit: undefined }).fills.set(tradeId, size);
    }
    this.#forget((late) => this.#holds(late));
    [this.#lastButOne, this.#last] = [this.#last, now];
  }

  /** An account asked for long enough after a trade was told, and moved since before it, holds it for certain; one that lags behind may have moved by another. */
  accountSeen({ account, asked }: AccountSeen): void {
    this.#account = account;
    this.#firstAsked ??= asked;
    if (asked >= this.#firstAsked + LAG) this.#inherited.clear();
    this.#forget((late) => {
      const moved = late.accountThen === undefined || compareIds(account.updateId, late.accountThen) > 0;
      return (asked >= late.told + LAG && moved) || this.#holds(late);
    });
  }

  /** Bounds of what these trades add to the position that the account shows. */
  range(market: MarketId): { low: number; high: number } {
    const inherited = this.#inherited.get(market);
    const lacking = inherited === undefined ? 0 : inherited - this.#held(market);
    let [low, high] = [Math.min(0, lacking), Math.max(0, lacking)];
    for (const late of this.#trades.values()) {
      if (late.market !== market) continue;
      const change = signOf(late.side) * sizeOf(late);
      low += Math.min(0, change);
      high += Math.max(0, change);
    }
    return { low, high };
  }

  /** What receipts tell that we took, and the record does not yet. The record need not name the action, so the sums of each side are compared. */
  unlisted(market: MarketId): readonly Unlisted[] {
    return SIDES.flatMap((side): Unlisted[] => {
      let [size, price]: [number, Ticks | undefined] = [0, undefined];
      for (const late of this.#trades.values()) {
        if (late.market !== market || late.side !== side || late.role !== 'taker') continue;
        size += late.taken - recordedOf(late);
        price = late.limit ?? price;
      }
      return size > 0 && price !== undefined ? [{ side, size: lots(size), price }] : [];
    });
  }

  #held(market: MarketId): number {
    return this.#account?.positions.find((held) => held.market === market)?.size ?? 0;
  }

  #trade({ market, side, role, actionId, told, accountThen, limit }: Omit<LateTrade, 'taken' | 'fills'>): LateTrade {
    const key = `${actionId}/${market}/${side}`;
    const known = this.#trades.get(key) ?? { market, side, role, actionId, told, accountThen, limit, taken: 0, fills: new Map() };
    this.#trades.set(key, known);
    return known;
  }

  #forget(held: (late: LateTrade) => boolean): void {
    if (this.none) return;
    for (const [key, late] of this.#trades) if (held(late)) this.#trades.delete(key);
  }

  /** True when the position that the account shows is of an action as new as the trade's. */
  #holds({ market, actionId }: LateTrade): boolean {
    const position = this.#account?.positions.find((held) => held.market === market);
    return position !== undefined && compareIds(position.actionId, actionId) >= 0;
  }
}

/** Receipt and record speak of the same trades, and either may come first or tell only some: the more counts. */
const sizeOf = (late: LateTrade): number => Math.max(late.taken, recordedOf(late));

function recordedOf({ fills }: LateTrade): number {
  let recorded = 0;
  for (const size of fills.values()) recorded += size;
  return recorded;
}
