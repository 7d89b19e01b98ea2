// The records that the exchange keeps: copies, newest first unless stated otherwise.
import type { Millis } from '../../base/clock.ts';
import type { AccountId, MarketId, OrderId, TokenId } from '../../bot/domain/ids.ts';
import type { Trade } from '../../bot/domain/order.ts';
import type { MarkCandle } from './history/mark-candles.ts';
import type { FundingPayment, PnlChange } from './history/statement.ts';
import type { NewestTrades, SimTrade, TradeQuery } from './history/trades.ts';
import type { ExchangeState } from './state/exchange-state.ts';
import type { FundingHour } from './state/funding.ts';
import { copyOf, type OrderRecord } from './state/orders.ts';
import { amountOf } from './views.ts';

/** The markets and accounts in a query must exist. */
export class Records {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  /**
   * Candles of the mark price, of the given length: 15 s, 1, 5 or 15 minutes, 1 or 4 hours, or whole days. About the newest thousand of each length
   * are kept.
   */
  candles(market: MarketId, length: Millis): readonly MarkCandle[] {
    return this.#state.marketStates[market]!.candles.of(length);
  }

  /** The newest thousand payments; empty for a spot market. */
  fundingHours(market: MarketId): readonly FundingHour[] {
    return this.#state.marketStates[market]!.fundingHours.values().toReversed();
  }

  /** The newest thousand. */
  fundingPayments(account: AccountId): readonly FundingPayment[] {
    return this.#state.accounts[account]!.fundingPayments.values().toReversed();
  }

  /** About the newest thousand changes of the account's realised profit; empty for an account of the exchange itself. */
  pnl(account: AccountId): readonly PnlChange[] {
    return this.#state.accounts[account]!.pnl.changes();
  }

  /**
   * Returns an order that is kept: of a user's account one of the newest thousand or one that rests, of another trader one that rests. Undefined for
   * any other id.
   */
  order(id: OrderId): OrderRecord | undefined {
    for (const { orders, history } of this.#state.accounts) {
      const resting = orders.get(id);
      const order = resting === undefined ? history.find(id) : copyOf(resting);
      if (order !== undefined) return order;
    }
    return undefined;
  }

  /** All orders of an account that are kept, newest first, finished ones included. */
  orders(account: AccountId): readonly OrderRecord[] {
    return this.#state.accounts[account]!.history.all();
  }

  /** Converts an amount of a token as accounts and wallets count it to whole tokens. */
  amountOf(token: TokenId, amount: number): number {
    return amountOf(this.#state, token, amount);
  }

  /** Returns the user of an account; undefined for an account of the exchange itself. */
  userOf(account: AccountId): string | undefined {
    for (const [user, accounts] of this.#state.users) if (accounts.includes(account)) return user;
    return undefined;
  }

  /** Number of all accounts, including those of the exchange itself. */
  accountCount(): number {
    return this.#state.accounts.length;
  }

  /** Returns the newest matching trades after `newest.after`, oldest first, without paging. */
  tradesSince(query: TradeQuery, newest: NewestTrades): readonly SimTrade[] {
    return this.#state.trades.since(query, newest);
  }

  /** Returns the same trades as `tradesSince`, in the form of the public list. */
  publicTradesSince(query: TradeQuery, newest: NewestTrades): readonly Trade[] {
    return this.#state.trades.publicSince(query, newest);
  }

  /** All resting orders, even if the order history has dropped them. */
  openOrders(account: AccountId): readonly OrderRecord[] {
    return [...this.#state.accounts[account]!.orders.values()].reverse().map(copyOf);
  }
}
