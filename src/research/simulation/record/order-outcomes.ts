// The outcomes of the orders that the bot has sent, by the exchange's own record.
import type { AccountId, OrderId } from '../../../bot/domain/ids.ts';
import type { SimTrade } from '../../../embedded/exchange/history/trades.ts';
import type { Receipt } from '../../../venues/wire/codec.ts';
import type { SignedAction } from './signed-action.ts';

export interface OrderOutcome {
  /** How often its signed bytes were executed. */
  readonly executed: number;
  /** Lots. */
  readonly filled: number;
  readonly open: boolean;
}

interface Evidence {
  readonly trades: readonly SimTrade[];
  /** Ids of the resting orders. */
  readonly open: ReadonlySet<OrderId>;
  readonly account: AccountId;
}

/** Returns the outcomes by client order id. */
export function orderOutcomes(
  placements: ReadonlyMap<string, readonly SignedAction[]>,
  { trades, open, account }: Evidence,
): ReadonlyMap<string, OrderOutcome> {
  const outcomes = new Map<string, OrderOutcome>();
  for (const [id, signedActions] of placements) {
    let [executed, filled, rests] = [0, 0, false];
    for (const { receipt } of signedActions.flatMap(({ executions }) => executions)) {
      if (receipt.kind !== 'placeOrder') continue;
      executed++;
      filled += filledBy(receipt, trades, account);
      rests ||= receipt.posted !== undefined && open.has(receipt.posted.orderId);
    }
    outcomes.set(id, { executed, filled, open: rests });
  }
  return outcomes;
}

function filledBy(receipt: Extract<Receipt, { kind: 'placeOrder' }>, trades: readonly SimTrade[], account: AccountId): number {
  let filled = 0;
  for (const { actionId, takerId, makerId, orderId, size } of trades) {
    if (takerId === account && actionId === receipt.actionId) filled += size;
    if (makerId === account && orderId === receipt.posted?.orderId) filled += size;
  }
  return filled;
}
