// Own trades as the exchange reports them: bids in the first market at 59 000, each with its own id.
import type { Fill } from '../../../src/bot/domain/order.ts';
import { BTC } from '../world-builder.ts';

let trades = 1_000;

type Reported = Omit<Fill, 'time'>;

const traded = (size: number) => {
  trades += 1;
  return { tradeId: String(trades), market: 0, side: 'bid' as const, price: BTC.restAt('bid', 59_000), size: BTC.lots(size) };
};

/** Our order was the taker; the maker's order is foreign. */
export const taker = ({ actionId, size }: { actionId: string; size: number }): Reported => ({
  ...traded(size),
  actionId,
  role: 'taker',
  orderId: 'theirs',
});

/** Our order was the maker; the taker's action is foreign. */
export function maker({ orderId, size, actionId }: { orderId: string; size: number; actionId?: string }): Reported {
  const trade = traded(size);
  return { ...trade, actionId: actionId ?? trade.tradeId, role: 'maker', orderId };
}
