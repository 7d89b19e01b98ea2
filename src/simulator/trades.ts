// The record of executions: the newest 200,000, the older ones are forgotten.
import type { Millis } from '../base/clock.ts';
import type { AccountId, ActionId, MarketId, OrderId, TradeId } from '../domain/ids.ts';
import type { Micros } from '../domain/numbers.ts';
import type { Trade } from '../domain/order.ts';
import type { Side } from '../domain/side.ts';
import { type Page, pageOf } from './paging.ts';

export interface SimTrade extends Trade {
  /** The action that caused it. */
  readonly actionId: ActionId;
  readonly takerId: AccountId;
  readonly makerId: AccountId;
  /** The maker's. */
  readonly orderId: OrderId;
  /** Positive when charged. */
  readonly makerFee: Micros;
  readonly takerFee: Micros;
  /** The taker's order was the exchange's own, to liquidate the taker. */
  readonly liquidation: boolean;
}

/** Every field that is given must match. */
export interface TradeQuery {
  readonly marketId?: MarketId | undefined;
  readonly makerId?: AccountId | undefined;
  readonly takerId?: AccountId | undefined;
  /** As maker or as taker. */
  readonly account?: AccountId | undefined;
  readonly takerSide?: Side | undefined;
  /** Inclusive. */
  readonly since?: Millis | undefined;
  /** Exclusive. */
  readonly until?: Millis | undefined;
  readonly startInclusive?: TradeId | undefined;
  readonly pageSize?: number | undefined;
}

const KEPT = 200_000;

export class TradeLog {
  /** Trade n is in slot n mod `KEPT`. */
  readonly #slots: SimTrade[] = [];
  #last = 0;

  record(trade: Omit<SimTrade, 'tradeId'>): SimTrade {
    this.#last++;
    const recorded = { tradeId: String(this.#last), ...trade };
    this.#slots[this.#last % KEPT] = recorded;
    return recorded;
  }

  /** Newest first. */
  query(query: TradeQuery): Page<SimTrade> {
    return pageOf(this.#matching(query), { size: query.pageSize, idOf: ({ tradeId }) => tradeId });
  }

  *#matching(query: TradeQuery): Generator<SimTrade> {
    const { since = Number.NEGATIVE_INFINITY, startInclusive } = query;
    const start = startInclusive === undefined ? this.#last : Math.min(Number(startInclusive), this.#last);
    for (let id = start; id > Math.max(0, this.#last - KEPT); id--) {
      const trade = this.#slots[id % KEPT]!;
      if (trade.time < since) return;
      if (matches(trade, query)) yield trade;
    }
  }
}

function matches(trade: SimTrade, { marketId, makerId, takerId, account, takerSide, until }: TradeQuery): boolean {
  return (
    (marketId === undefined || trade.market === marketId) &&
    (makerId === undefined || trade.makerId === makerId) &&
    (takerId === undefined || trade.takerId === takerId) &&
    (account === undefined || trade.makerId === account || trade.takerId === account) &&
    (takerSide === undefined || trade.takerSide === takerSide) &&
    (until === undefined || trade.time < until)
  );
}
