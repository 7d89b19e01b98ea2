// A terminal liquidation of one position, as the exchange publishes it. Prices and sizes are raw integers.
import type { Millis } from '../../../base/clock.ts';
import type { AccountId, ActionId, MarketId } from '../../../bot/domain/ids.ts';
import type { Lots, Ticks } from '../../../bot/domain/numbers.ts';
import type { Side } from '../../../bot/domain/side.ts';

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
