// What the position of a market cost, at the average price of its entries: splits profit into a realised and an unrealised part.
// The profit does not depend on it, so a rounding moves at most a millionth between the two parts. Of single fills in a report:
// `research/report/figures/position-pnl.ts`.
import { type Lots, lots } from '../numbers.ts';

/** Position and cost have the same sign. A flat position has no cost. */
export class AverageCost {
  position: Lots;
  /** In millionths of the quote token. */
  cost: number;

  constructor(position: Lots = lots(0), cost = 0) {
    [this.position, this.cost] = [position, cost];
  }

  /**
   * Adds signed lots, bought or sold for `money` in millionths of the quote token. The part that closes releases its share of the cost.
   * Example: 4 lots that cost 40; a sale of 1 for 15 leaves 3 lots that cost 30. A sale of 5 for 75 leaves -1 lot that costs -15.
   */
  add(size: number, money: number): void {
    const { position } = this;
    const closed = size * position < 0 ? Math.min(Math.abs(size), Math.abs(position)) : 0;
    const opening = closed === Math.abs(size) ? 0 : money - share(money, closed, Math.abs(size));
    this.cost += Math.sign(size) * opening - share(this.cost, closed, Math.abs(position));
    this.position = lots(position + size);
  }
}

/** Returns `amount` · `part` / `whole`, rounded down. The product may be above 2^53. */
function share(amount: number, part: number, whole: number): number {
  if (part === 0) return 0;
  if (part === whole) return amount;
  return Number((BigInt(Math.abs(amount)) * BigInt(part)) / BigInt(whole)) * Math.sign(amount);
}
