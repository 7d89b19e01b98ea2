// Our trades that the newest account may not include yet.
import type { Millis } from '../../../base/clock.ts';
import { TransientMap } from '../../../base/collections/transient-map.ts';
import { type Account, type Position, positionIn } from '../../domain/account.ts';
import { type Side, signOf } from '../../domain/book.ts';
import type { AccountSeen, FillsSeen, OrderOpened } from '../../domain/event.ts';
import { type ActionId, compareIds, compareUpdateIds, type MarketId, type TradeId, type UpdateId } from '../../domain/ids.ts';
import { lots, type Ticks } from '../../domain/numbers.ts';
import { canRest, type Fill, type Order } from '../../domain/order.ts';
import { LAG } from '../orders/proof.ts';
import type { Unlisted } from './spot-fills.ts';

/** Our trades of one action, as reported by its receipt, the exchange's record of trades, or both. */
interface LateTrade {
  readonly market: MarketId;
  readonly side: Side;
  readonly actionId: ActionId;
  /** When the trade was first reported. */
  readonly reportedAt: Millis;
  /** The update number of an account that cannot include it. */
  readonly accountThen: UpdateId | undefined;
  readonly role: Fill['role'];
  /** The limit of the order, if the receipt came first. */
  readonly limit: Ticks | undefined;
  /** The size in the receipt. */
  taken: number;
  /** The sizes in the record of trades. */
  readonly fills: Map<TradeId, number>;
}

/** The record of trades lists a trade of a receipt within this time. */
const LISTED_WITHIN: Millis = 60_000;
const SIDES: readonly Side[] = ['bid', 'ask'];

export class LateTrades {
  readonly #trades = new TransientMap<string, LateTrade>();
  /**
   * The positions known to an earlier process. It may have received trades that the first accounts of this process do not include, because they lag.
   */
  readonly #inherited = new Map<MarketId, number>();
  #firstAsked: Millis | undefined;
  #account: Account | undefined;
  /** The newest action of any fill, by market. */
  readonly #newestActions = new Map<MarketId, ActionId>();
  /** The time until which the polls of fills are complete. */
  #listedTo: Millis = Number.NEGATIVE_INFINITY;
  /** The update numbers of the accounts that were newest when the last poll of fills arrived, and the one before it. */
  #accountAtLastPoll: UpdateId | undefined;
  #accountAtPollBefore: UpdateId | undefined;

  get isEmpty(): boolean {
    return this.#trades.size === 0 && this.#inherited.size === 0;
  }

  inherit(positions: Iterable<readonly [MarketId, number]>): void {
    for (const [market, size] of positions) this.#inherited.set(market, size);
  }

  /** Takes a receipt: adds the size that it reports as taken; the whole size if it reports none and nothing rests. */
  receiptSeen(
    { market, side, accountThen, price: limit, size: all, fillMode }: Order,
    { taken, resting, actionId, at }: OrderOpened,
  ): void {
    const saysAll = resting !== undefined || canRest(fillMode);
    const size = saysAll ? taken.reduce((sum, level) => sum + level.size, 0) : all;
    if (size > 0) this.#tradeOf({ market, side, actionId, role: 'taker', reportedAt: at, accountThen, limit }).taken = size;
    this.#forget((late) => this.#accountIncludes(late));
  }

  /**
   * Takes a poll of fills. Its trades were made after the previous poll was requested, and so after the poll before that had arrived. The account that was
   * the newest at that time cannot include them.
   */
  filled({ fills, asked, at }: FillsSeen): void {
    this.#listedTo = asked;
    const newestAccount = this.#account?.updateId;
    const accountThen = this.#accountAtPollBefore ?? newestAccount;
    for (const { market, side, role, actionId, tradeId, size } of fills) {
      const newest = this.#newestActions.get(market);
      if (newest === undefined || compareIds(actionId, newest) > 0) this.#newestActions.set(market, actionId);
      this.#tradeOf({ market, side, actionId, role, reportedAt: at, accountThen, limit: undefined }).fills.set(tradeId, size);
    }
    if (!this.isEmpty) this.#forget((late) => this.#accountIncludes(late));
    this.#accountAtPollBefore = this.#accountAtLastPoll;
    this.#accountAtLastPoll = newestAccount;
  }

  /**
   * Takes an account. It should include a trade if it was requested at least LAG after the trade was reported and its update number is later than
   * before the trade. A slower account may have moved because of another trade; so a trade known from a receipt is kept until a poll of fills reports
   * it too, up to LISTED_WITHIN. From then on the position that our fills explain includes it.
   */
  accountSeen({ account, asked }: AccountSeen): void {
    this.#account = account;
    this.#firstAsked ??= asked;
    if (this.isEmpty) return;
    if (asked >= this.#firstAsked + LAG) this.#inherited.clear();
    this.#forget((late) => {
      const moved = late.accountThen === undefined || compareUpdateIds(account.updateId, late.accountThen) > 0;
      const isListed = this.#listedTo >= late.reportedAt || asked >= late.reportedAt + LISTED_WITHIN;
      return (asked >= late.reportedAt + LAG && moved && isListed) || this.#accountIncludes(late);
    });
  }

  /** True if the account's position was last changed by an action at least as new as that of each fill received so far. */
  accountIncludesAll(market: MarketId): boolean {
    const actionId = this.#newestActions.get(market);
    return actionId === undefined || this.#accountIncludes({ market, actionId });
  }

  /** Returns the bounds of what these trades add to the position in the account. */
  range(market: MarketId): { low: number; high: number } {
    const inherited = this.#inherited.get(market);
    const lacking = inherited === undefined ? 0 : inherited - this.#shown(market);
    let low = Math.min(0, lacking);
    let high = Math.max(0, lacking);
    for (const late of this.#trades.values()) {
      if (late.market !== market) continue;
      const change = signOf(late.side) * sizeOf(late);
      low += Math.min(0, change);
      high += Math.max(0, change);
    }
    return { low, high };
  }

  /**
   * Returns the trades that receipts report and the record does not yet. The sums of each side are compared, because the record may not name the
   * action.
   */
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

  #shown(market: MarketId): number {
    return this.#positionIn(market)?.size ?? 0;
  }

  /** Returns the trade of that action; adds it if it is new. */
  #tradeOf({ market, side, role, actionId, reportedAt, accountThen, limit }: Omit<LateTrade, 'taken' | 'fills'>): LateTrade {
    const key = `${actionId}/${market}/${side}`;
    const trade = this.#trades.get(key) ?? { market, side, role, actionId, reportedAt, accountThen, limit, taken: 0, fills: new Map() };
    this.#trades.set(key, trade);
    return trade;
  }

  #forget(isIncluded: (late: LateTrade) => boolean): void {
    if (this.isEmpty) return;
    for (const [key, late] of this.#trades) if (isIncluded(late)) this.#trades.delete(key);
  }

  /** True if the account's position was last changed by an action at least as new as the trade's. */
  #accountIncludes({ market, actionId }: Pick<LateTrade, 'market' | 'actionId'>): boolean {
    const position = this.#positionIn(market);
    return position !== undefined && compareIds(position.actionId, actionId) >= 0;
  }

  #positionIn(market: MarketId): Position | undefined {
    return this.#account && positionIn(this.#account.positions, market);
  }
}

/** The size traded. Receipt and record report the same trades, and either may come first or be incomplete, so the larger counts. */
const sizeOf = (late: LateTrade): number => Math.max(late.taken, recordedOf(late));

function recordedOf({ fills }: LateTrade): number {
  let recorded = 0;
  for (const size of fills.values()) recorded += size;
  return recorded;
}
