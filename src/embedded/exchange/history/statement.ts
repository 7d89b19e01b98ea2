// The entries of an account's statement beside its orders and trades: deposits, withdrawals, funding and realised profit.
import type { Millis } from '../../../base/clock.ts';
import type { ActionId, MarketId, TokenId } from '../../../bot/domain/ids.ts';
import type { Micros } from '../../../bot/domain/numbers.ts';

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
