// The entries of an account's statement beside its orders and trades: deposits, withdrawals, funding, realised profit and terminal liquidations.
import type { Millis } from '../../../base/clock.ts';
import type { Side } from '../../../bot/domain/book.ts';
import type { AccountId, ActionId, MarketId, TokenId } from '../../../bot/domain/ids.ts';
import { type Lots, type Micros, micros, type Ticks } from '../../../bot/domain/numbers.ts';

/** Money or tokens that came into an account from outside the exchange, or left it. */
export interface FundsMove {
  readonly kind: 'deposit' | 'withdrawal';
  readonly token: TokenId;
  /** Micros for the quote token, lots of its spot market for a base token. */
  readonly amount: number;
  /** The account's balance afterwards, in the same unit. */
  readonly balance: number;
  /** The number of earlier deposits and withdrawals of all accounts. */
  readonly index: number;
  readonly time: Millis;
  readonly actionId: ActionId;
}

/** The profit that one action moved into an account's balance: of closed positions, and of funding. Fees are not part of it. */
export interface PnlChange {
  readonly time: Millis;
  readonly action: number;
  readonly price: Micros;
  readonly funding: Micros;
}

/** One payment of one account for one position. */
export interface FundingPayment {
  readonly time: Millis;
  readonly market: MarketId;
  /** A fraction of the price on which the market pays funding; positive: longs paid. */
  readonly rate: number;
  /** Positive if the account paid, negative if it was paid. */
  readonly payment: Micros;
}

const KEPT = 1_000;

/** The realised profit of one account: at least its newest KEPT changes. The executions of one action are one change. */
export class PnlHistory {
  /** Oldest first. */
  #changes: PnlChange[] = [];

  add({ time, action, price, funding }: PnlChange): void {
    if (price === 0 && funding === 0) return;
    const newest = this.#changes.at(-1);
    if (newest?.action === action) {
      this.#changes[this.#changes.length - 1] = { time, action, price: sum(newest.price, price), funding: sum(newest.funding, funding) };
      return;
    }
    if (this.#changes.length === 2 * KEPT) this.#changes = this.#changes.slice(KEPT);
    this.#changes.push({ time, action, price, funding });
  }

  /** Returns the changes, newest first. */
  changes(): readonly PnlChange[] {
    return this.#changes.toReversed();
  }
}

const sum = (a: Micros, b: Micros): Micros => micros(a + b);

/** A terminal liquidation of one position, as the exchange publishes it. Prices and sizes are raw integers. */
export interface TakeAll {
  readonly time: Millis;
  readonly actionId: ActionId;
  /** The backstop. */
  readonly takerAccountId: AccountId;
  readonly takerSide: Side;
  readonly marketId: MarketId;
  readonly settlementPrice: Ticks;
  readonly baseSize: Lots;
  /** The account in distress. */
  readonly makerAccountId: AccountId;
  /** The price at which the account's value would be zero; the position is settled at it. */
  readonly bankruptcyPrice: Ticks;
}
