// The arithmetic of a perpetual position: a signed size and its cost, so that profit is exact in integers.
import { type Lots, lots, type Micros, micros } from '../../../bot/domain/numbers.ts';

export interface PerpPosition {
  /** Positive long, negative short. */
  readonly size: Lots;
  /** The cost of the size; negative for a short position. */
  readonly cost: Micros;
}

/**
 * Returns a position after buying `size` for `cost`, or selling it if both are negative. The closing part realises profit at the average entry; the
 * rest opens a new position. The average may be rounded, but `realised − cost` always changes by exactly the traded money.
 * Example: long 4 lots for 400, then 1 lot is sold for 120 (size -1, cost -120). The position is 3 lots for 300, and 20 are realised.
 */
export function afterTrade(position: PerpPosition, { size, cost }: PerpPosition): { position: PerpPosition; realised: Micros } {
  const closing = Math.sign(position.size) === -Math.sign(size) ? Math.min(Math.abs(size), Math.abs(position.size)) : 0;
  const closedEntry = closing === Math.abs(position.size) ? position.cost : Math.round(position.cost * (closing / Math.abs(position.size)));
  const closedMoney = Math.round((cost / Math.abs(size)) * closing); // exact, unless the market has more than 6 decimals
  return {
    position: { size: lots(position.size + size), cost: micros(position.cost - closedEntry + cost - closedMoney) },
    realised: micros(closing === 0 ? 0 : -closedMoney - closedEntry),
  };
}
