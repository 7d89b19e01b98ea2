// Attributes the profit of a run to the spread of its fills, price moves, fees and funding.

import type { Summary } from '../../../bot/accounting/summary.ts';
import { MICROS_PER_UNIT } from '../../../bot/domain/numbers.ts';
import type { QualityTotal } from './trades/fill-quality.ts';

/** In quote money. `spread + price − fees + funding` is the PnL. */
export interface ProfitAttribution {
  /** Spread captured: by how much the fills were better than the mid price at their time. Positive for a maker, negative for a taker. */
  readonly spread: number;
  /** Earned by positions through price moves; includes fills whose mid price is not known. */
  readonly price: number;
  readonly fees: number;
  readonly funding: number;
}

export function attributionOf({ pnl, fees, funding }: Summary, { spread }: QualityTotal): ProfitAttribution {
  const [charged, earned] = [Number(fees), Number(funding)];
  return { spread: spread.money, price: rounded(Number(pnl) + charged - earned - spread.money), fees: charged, funding: earned };
}

/** Rounds to the millionth, the unit of money. */
export const rounded = (money: number): number => Math.round(money * MICROS_PER_UNIT) / MICROS_PER_UNIT;
