// The log of executions: the newest 200,000 by default, older ones are dropped.
import type { Millis } from '../../../base/clock.ts';
import type { Side } from '../../../bot/domain/book.ts';
import type { AccountId, ActionId, MarketId, OrderId, TradeId } from '../../../bot/domain/ids.ts';
import type { Lots, Micros, Ticks } from '../../../bot/domain/numbers.ts';
import type { Trade } from '../../../bot/domain/order.ts';
import { MAX_PAGE, pageOf, type RowPage } from './paging.ts';

export interface SimTrade extends Trade {
  /** The action that caused the trade. */
  readonly actionId: ActionId;
  readonly takerId: AccountId;
  readonly makerId: AccountId;
  /** The maker's order. */
  readonly orderId: OrderId;
  /** Undefined if the trade was not executed here. */
  readonly takerOrderId?: OrderId | undefined;
  /** Positive if charged. */
  readonly makerFee: Micros;
  readonly takerFee: Micros;
  /** What the buyer paid its fee with, in a market that takes it from the tokens that are bought; the buyer's fee is then its value. */
  readonly baseFee?: Lots | undefined;
  /** True if the exchange placed the taker's order, to liquidate the taker. */
  readonly liquidation: boolean;
}

/** Every field that is given must match. */
export interface TradeQuery {
  readonly marketId?: MarketId | undefined;
  readonly makerId?: AccountId | undefined;
  readonly takerId?: AccountId | undefined;
  /** As maker or as taker. */
  readonly account?: AccountId | undefined;
  /** Of the maker or of the taker. */
  readonly orderId?: OrderId | undefined;
  readonly takerSide?: Side | undefined;
  /** Inclusive. */
  readonly since?: Millis | undefined;
  /** Exclusive. */
  readonly until?: Millis | undefined;
  readonly startInclusive?: TradeId | undefined;
  readonly pageSize?: number | undefined;
}

/** A trade to be added to the log, with the exchange's counters as ids. */
export interface TradeEntry extends Omit<SimTrade, 'tradeId' | 'actionId' | 'orderId' | 'takerOrderId'> {
  readonly action: number;
  readonly order: number;
  /** Undefined if the trade was not executed here: in a recording, or before the start. */
  readonly takerOrder?: number | undefined;
}

/** Selects the newest `most` trades of those after the trade with the id `after`. */
export interface NewestTrades {
  readonly after: number;
  readonly most: number;
}

/** Converts a row to an object. */
type Show<T> = (cells: Float64Array, at: number, id: number) => T;

const DEFAULT_KEPT = 200_000;

/**
 * The columns of a trade. A trade is a row of numbers, because a recorded market has millions of trades. `before…` is the previous trade in which the
 * same account had the same role.
 */
const CELL = {
  time: 0,
  action: 1,
  market: 2,
  taker: 3,
  maker: 4,
  /** 1 if the taker sold. */
  ask: 5,
  order: 6,
  price: 7,
  size: 8,
  makerFee: 9,
  takerFee: 10,
  liquidation: 11,
  beforeOfTaker: 12,
  beforeOfMaker: 13,
  takerOrder: 14,
  baseFee: 15,
} as const;
const WIDTH = 16;
/** Of a trade whose fees are quote money. */
const NO_BASE_FEE = Number.NaN;
/** Equals no id of an order. */
const NO_ORDER = -1;

export class TradeLog {
  /** Trade n is in row n mod `kept`. */
  readonly #kept: number;
  #cells = new Float64Array(64 * WIDTH);
  #last = 0;
  /** The newest trade of each account as taker, and as maker. */
  readonly #newestOfTaker: number[] = [];
  readonly #newestOfMaker: number[] = [];

  constructor({ kept = DEFAULT_KEPT }: { readonly kept?: number | undefined } = {}) {
    this.#kept = kept;
  }

  /** Returns the trade's id. */
  record(trade: TradeEntry): number {
    const id = ++this.#last;
    const { takerId, makerId } = trade;
    const at = (id % this.#kept) * WIDTH;
    if (at >= this.#cells.length) this.#grow();
    const cells = this.#cells;
    cells[at + CELL.time] = trade.time;
    cells[at + CELL.action] = trade.action;
    cells[at + CELL.market] = trade.market;
    cells[at + CELL.taker] = takerId;
    cells[at + CELL.maker] = makerId;
    cells[at + CELL.ask] = trade.takerSide === 'ask' ? 1 : 0;
    cells[at + CELL.order] = trade.order;
    cells[at + CELL.takerOrder] = trade.takerOrder ?? NO_ORDER;
    cells[at + CELL.price] = trade.price;
    cells[at + CELL.size] = trade.size;
    cells[at + CELL.makerFee] = trade.makerFee;
    cells[at + CELL.takerFee] = trade.takerFee;
    cells[at + CELL.liquidation] = trade.liquidation ? 1 : 0;
    cells[at + CELL.baseFee] = trade.baseFee ?? NO_BASE_FEE;
    cells[at + CELL.beforeOfTaker] = this.#newestOfTaker[takerId] ?? 0;
    cells[at + CELL.beforeOfMaker] = this.#newestOfMaker[makerId] ?? 0;
    this.#newestOfTaker[takerId] = id;
    this.#newestOfMaker[makerId] = id;
    return id;
  }

  /** Returns trades, newest first. */
  query(query: TradeQuery): RowPage<SimTrade> {
    const { startInclusive, pageSize = MAX_PAGE } = query;
    const from = startInclusive === undefined ? this.#last : Math.min(Number(startInclusive), this.#last);
    const rows = this.#matching(query, { from, after: 0, most: Math.min(pageSize, MAX_PAGE) + 1 }, fullTrade);
    return pageOf(rows, { size: pageSize, idOf });
  }

  /** Returns the newest matching trades after `after`, oldest first. */
  since(query: TradeQuery, newest: NewestTrades): readonly SimTrade[] {
    return this.#since(query, newest, fullTrade);
  }

  /** Returns the same trades as `since`, in the form of the public list. */
  publicSince(query: TradeQuery, newest: NewestTrades): readonly Trade[] {
    return this.#since(query, newest, publicTrade);
  }

  #since<T>(query: TradeQuery, { after, most }: NewestTrades, show: Show<T>): readonly T[] {
    if (this.#newestOf(query) <= after) return NONE;
    return this.#matching(query, { from: this.#last, after, most }, show).reverse();
  }

  /**
   * Returns the matching trades, newest first. If the query names an account, only that account's trades are visited; with a role, only those in that
   * role. The trades of an account are two linked lists, as taker and as maker. Both are followed at once: the next trade is the newer head of the two.
   */
  #matching<T>(query: TradeQuery, { from, after, most }: NewestTrades & { from: number }, show: Show<T>): T[] {
    const { since = Number.NEGATIVE_INFINITY } = query;
    const cells = this.#cells;
    const all = !namesAccount(query);
    const end = Math.max(after, this.#last - this.#kept, 0);
    const found: T[] = [];
    let taker = this.#newestAsTaker(query);
    let maker = this.#newestAsMaker(query);
    let id = all ? from : Math.max(taker, maker);
    while (id > end && found.length < most) {
      const at = (id % this.#kept) * WIDTH;
      if (cells[at + CELL.time]! < since) break;
      if (id <= from && matches(cells, at, query)) found.push(show(cells, at, id));
      if (id === taker) taker = cells[at + CELL.beforeOfTaker]!;
      if (id === maker) maker = cells[at + CELL.beforeOfMaker]!;
      id = all ? id - 1 : Math.max(taker, maker);
    }
    return found;
  }

  #newestOf(query: TradeQuery): number {
    return namesAccount(query) ? Math.max(this.#newestAsTaker(query), this.#newestAsMaker(query)) : this.#last;
  }

  /** Returns the newest trade as taker of the queried account; 0 if none can match. */
  #newestAsTaker({ account, takerId, makerId }: TradeQuery): number {
    const wanted = takerId ?? (makerId === undefined ? account : undefined);
    return wanted === undefined ? 0 : (this.#newestOfTaker[wanted] ?? 0);
  }

  /** Returns the newest trade as maker of the queried account; 0 if none can match, or if visiting the taker's trades suffices. */
  #newestAsMaker({ account, takerId, makerId }: TradeQuery): number {
    const wanted = takerId === undefined ? (makerId ?? account) : undefined;
    return wanted === undefined ? 0 : (this.#newestOfMaker[wanted] ?? 0);
  }

  #grow(): void {
    const grown = new Float64Array(Math.min(this.#cells.length * 2, this.#kept * WIDTH));
    grown.set(this.#cells);
    this.#cells = grown;
  }
}

const NONE: readonly never[] = [];

const namesAccount = ({ account, takerId, makerId }: TradeQuery): boolean => (account ?? takerId ?? makerId) !== undefined;

const idOf = ({ tradeId }: SimTrade): TradeId => tradeId;

function matches(cells: Float64Array, at: number, { marketId, makerId, takerId, account, orderId, takerSide, until }: TradeQuery): boolean {
  return (
    (marketId === undefined || cells[at + CELL.market] === marketId) &&
    (makerId === undefined || cells[at + CELL.maker] === makerId) &&
    (takerId === undefined || cells[at + CELL.taker] === takerId) &&
    (account === undefined || cells[at + CELL.maker] === account || cells[at + CELL.taker] === account) &&
    (orderId === undefined || cells[at + CELL.order] === Number(orderId) || cells[at + CELL.takerOrder] === Number(orderId)) &&
    (takerSide === undefined || cells[at + CELL.ask] === (takerSide === 'ask' ? 1 : 0)) &&
    (until === undefined || cells[at + CELL.time]! < until)
  );
}

const publicTrade: Show<Trade> = (cells, at, id) => ({
  tradeId: String(id),
  market: cells[at + CELL.market]!,
  takerSide: cells[at + CELL.ask] === 1 ? 'ask' : 'bid',
  price: cells[at + CELL.price]! as Ticks,
  size: cells[at + CELL.size]! as Lots,
  time: cells[at + CELL.time]!,
});

const fullTrade: Show<SimTrade> = (cells, at, id) => {
  const baseFee = cells[at + CELL.baseFee]! as Lots;
  return Number.isNaN(baseFee) ? quoteFeeTrade(cells, at, id) : { ...quoteFeeTrade(cells, at, id), baseFee };
};

const quoteFeeTrade: Show<SimTrade> = (cells, at, id) => ({
  tradeId: String(id),
  time: cells[at + CELL.time]!,
  actionId: String(cells[at + CELL.action]),
  market: cells[at + CELL.market]!,
  takerId: cells[at + CELL.taker]!,
  takerSide: cells[at + CELL.ask] === 1 ? 'ask' : 'bid',
  makerId: cells[at + CELL.maker]!,
  orderId: String(cells[at + CELL.order]),
  takerOrderId: cells[at + CELL.takerOrder] === NO_ORDER ? undefined : String(cells[at + CELL.takerOrder]),
  price: cells[at + CELL.price]! as Ticks,
  size: cells[at + CELL.size]! as Lots,
  makerFee: cells[at + CELL.makerFee]! as Micros,
  takerFee: cells[at + CELL.takerFee]! as Micros,
  liquidation: cells[at + CELL.liquidation] === 1,
});
