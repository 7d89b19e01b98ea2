// The arithmetic of a perpetual position: a signed size and its cost, so that profit is exact in integers.
import { type Lots, lots, type Micros, micros } from '../../domain/numbers.ts';

export interface PerpPosition {
  /** Positive long, negative short. */
  readonly size: Lots;
  /** What the size was bought for; negative if it was sold. */
  readonly cost: Micros;
}

/**
 * Returns a position after buying `size` for `cost`, or selling it if both are negative. What closes the position realises its profit at the average
 * entry; what goes beyond opens a new one. Whatever the rounding of the average, `realised − cost` moves by exactly the money that changed hands.
 */
export function traded(position: PerpPosition, { size, cost }: PerpPosition): { position: PerpPosition; realised: Micros } {
  const closing = Math.sign(position.size) === -Math.sign(size) ? Math.min(Math.abs(size), Math.abs(position.size)) : 0;
  const closedEntry = closing === Math.abs(position.size) ? position.cost : Math.round(position.cost * (closing / Math.abs(position.size)));
  const closedMoney = (cost / Math.abs(size)) * closing;
  return {
    position: { size: lots(position.size + size), cost: micros(position.cost - closedEntry + cost - closedMoney) },
    realised: micros(closing === 0 ? 0 : -closedMoney - closedEntry),
  };
}
