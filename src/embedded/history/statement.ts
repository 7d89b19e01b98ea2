// What an account's statement tells beside its orders and trades: money that came and went, and funding.
import type { Millis } from '../../base/clock.ts';
import type { ActionId, MarketId, TokenId } from '../../domain/ids.ts';
import type { Micros } from '../../domain/numbers.ts';

/** What has passed between an account and its user's wallet. */
export interface FundsMove {
  readonly kind: 'deposit' | 'withdrawal';
  readonly token: TokenId;
  /** Of the quote token in Micros, of a base token in lots of its spot market. */
  readonly amount: number;
  readonly time: Millis;
  readonly actionId: ActionId;
}

/** What one account paid for one position at once. */
export interface FundingPayment {
  readonly time: Millis;
  readonly market: MarketId;
  /** A fraction of the price that the market's terms name; positive: longs paid. */
  readonly rate: number;
  /** Positive where the account paid, negative where it was paid. */
  readonly payment: Micros;
}
