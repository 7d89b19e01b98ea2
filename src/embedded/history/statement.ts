// The entries of an account's statement beside its orders and trades: deposits, withdrawals and funding.
import type { Millis } from '../../base/clock.ts';
import type { ActionId, MarketId, TokenId } from '../../domain/ids.ts';
import type { Micros } from '../../domain/numbers.ts';

/** A transfer between an account and its user's wallet. */
export interface FundsMove {
  readonly kind: 'deposit' | 'withdrawal';
  readonly token: TokenId;
  /** Micros for the quote token, lots of its spot market for a base token. */
  readonly amount: number;
  readonly time: Millis;
  readonly actionId: ActionId;
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
