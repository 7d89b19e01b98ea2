// Attributes the difference in profit and loss to causes. The parts add up to the difference exactly.
// Why one fill or order differs: `reasons.ts`.

import { signOf } from '../../bot/domain/book.ts';
import type { Market } from '../../bot/domain/market.ts';
import { type Micros, micros } from '../../bot/domain/numbers.ts';
import type { Fill } from '../../bot/domain/order.ts';
import type { ParityMatch } from './match.ts';
import type { OwnRecord } from './own-orders.ts';
import type { ParityDifference, ReasonKind } from './reasons.ts';

export const CAUSES = ['latency', 'queue', 'polls', 'rejected', 'guards', 'unknown outcomes', 'fees', 'funding'] as const;
export type CauseName = (typeof CAUSES)[number];

const CAUSE_OF: Readonly<Record<ReasonKind, CauseName>> = {
  latency: 'latency',
  queue: 'queue',
  data: 'polls',
  rejected: 'rejected',
  guard: 'guards',
  unknown: 'unknown outcomes',
};

/** Amounts in millionths of the quote token. */
export interface Money {
  readonly volume: Micros;
  readonly fees: Micros;
  readonly funding: Micros;
  /** As the loss limits of the run count it. */
  readonly pnl: Micros;
}

type Markets = readonly Market[];

export function moneyOf({ fills, funding, profit }: OwnRecord, markets: Markets): Money {
  let [volume, fees]: [number, number] = [0, 0];
  for (const fill of fills) {
    volume += markets[fill.market]!.notional(fill.price, fill.size);
    fees += fill.fee ?? 0;
  }
  return { volume: micros(volume), fees: micros(fees), funding, pnl: profit };
}

/** Returns the part of the profit that no fill and no funding made: the change in the value of the position from before the first turn. */
function profitOfOpening({ fills, funding, marks, profit }: OwnRecord, markets: Markets): number {
  return fills.reduce((rest, fill) => rest - worthOf(fill, marks, markets), profit - funding);
}

/** Returns the contribution of a fill to profit and loss: its size times mark minus price, minus its fee; a fee in base tokens counts at the mark. */
function worthOf({ market: id, side, price, size, baseFee, fee = micros(0) }: Fill, marks: OwnRecord['marks'], markets: Markets): number {
  const market = markets[id]!;
  const mark = marks.get(id) ?? price;
  const charged = baseFee === undefined ? fee : market.notional(mark, baseFee);
  return signOf(side) * (market.notional(mark, size) - market.notional(price, size)) - charged;
}

/**
 * Returns the contribution of each cause to the difference between the backtest's and the run's profit and loss. A fill in only one of the two counts
 * for its reason, with its contribution at the last mark. A fill in both counts for `fees` with the difference of its fees, and for `polls` with the
 * difference of the last marks. So does a position from before the first turn.
 */
export function causesOf(
  { fills: { both } }: Pick<ParityMatch, 'fills'>,
  differences: readonly ParityDifference[],
  { run, backtest, markets }: { run: OwnRecord; backtest: OwnRecord; markets: Markets },
): ReadonlyMap<CauseName, Micros> {
  const sums = new Map<CauseName, number>(CAUSES.map((name) => [name, 0]));
  const add = (name: CauseName, amount: number): void => void sums.set(name, (sums.get(name) ?? 0) + amount);
  for (const { fill, only, reason } of differences) {
    if (fill === undefined) continue;
    const record = only === 'run' ? run : backtest;
    const worth = worthOf(fill.fill, record.marks, markets);
    add(CAUSE_OF[reason], only === 'run' ? -worth : worth);
  }
  for (const pair of both) {
    const [ran, played] = [pair.run.fill, pair.backtest.fill];
    const fees = (ran.fee ?? 0) - (played.fee ?? 0);
    add('fees', fees);
    add('polls', worthOf(played, backtest.marks, markets) - worthOf(ran, run.marks, markets) - fees);
  }
  add('polls', profitOfOpening(backtest, markets) - profitOfOpening(run, markets));
  add('funding', backtest.funding - run.funding);
  return new Map([...sums].map(([name, amount]) => [name, micros(amount)]));
}
