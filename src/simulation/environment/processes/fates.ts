// What became of the orders that the bot has sent, by the exchange's own trades.
import type { AccountId, OrderId } from '../../../domain/ids.ts';
import type { SimTrade } from '../../../embedded/history/trades.ts';
import type { Receipt } from '../../../wire/codec.ts';
import type { SignedAction } from '../../invariants/record/signed-action.ts';

/** The outcome of an order. */
export interface Fate {
  readonly executed: number;
  readonly filled: number;
  readonly open: boolean;
}

interface Evidence {
  readonly trades: readonly SimTrade[];
  /** Ids of the resting orders. */
  readonly open: ReadonlySet<OrderId>;
  readonly account: AccountId;
}

/** By client order id. */
export function fatesOf(
  placements: ReadonlyMap<string, readonly SignedAction[]>,
  { trades, open, account }: Evidence,
): ReadonlyMap<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const [id, signedActions] of placements) {
    let [executed, filled, rests] = [0, 0, false];
    for (const { receipt } of signedActions.flatMap(({ executions }) => executions)) {
      if (receipt.kind !== 'placeOrder') continue;
      executed++;
      filled += filledBy(receipt, trades, account);
      rests ||= receipt.posted !== undefined && open.has(receipt.posted.orderId);
    }
    fates.set(id, { executed, filled, open: rests });
  }
  return fates;
}

function filledBy(receipt: Extract<Receipt, { kind: 'placeOrder' }>, trades: readonly SimTrade[], account: AccountId): number {
  let filled = 0;
  for (const { actionId, takerId, makerId, orderId, size } of trades) {
    if (takerId === account && actionId === receipt.actionId) filled += size;
    if (makerId === account && orderId === receipt.posted?.orderId) filled += size;
  }
  return filled;
}
