// An hour of each built-in strategy on a hundred markets of the embedded exchange, with its defaults: what it earns, and how often.
import { BUILT_IN_STRATEGIES, loadStrategy } from '../src/strategy/loading/loader.ts';
import { play } from '../src/testing/play.ts';
import type { Bench, Row } from './measure.ts';

const HOURS = 100;

/** The value that this share of all values is below. */
const quantile = (sorted: readonly number[], share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!;
const text = (value: number): string => value.toFixed(2);

export const hours: Bench = async () => {
  const rows: Row[] = [];
  for (const name of BUILT_IN_STRATEGIES) {
    const { strategy } = await loadStrategy(name);
    const found: { readonly pnl: number; readonly fees: number; readonly fills: number }[] = [];
    for (let hour = 0; hour < HOURS; hour += 1) {
      const { summary } = await play(strategy, { for: '1h', seed: `hour ${hour}` });
      found.push({ pnl: Number(summary.pnl), fees: Number(summary.fees), fills: summary.fills });
    }
    const pnls = found.map(({ pnl }) => pnl).toSorted((a, b) => a - b);
    const middle = (of: (one: (typeof found)[number]) => number): number =>
      quantile(
        found.map(of).toSorted((a, b) => a - b),
        0.5,
      );
    rows.push({
      name: `hours: ${name}, PnL of an hour, median (10 % to 90 %)`,
      figure: `${text(quantile(pnls, 0.5))} (${text(quantile(pnls, 0.1))} to ${text(quantile(pnls, 0.9))})`,
      baseline: `fees ${text(middle(({ fees }) => fees))}, ${middle(({ fills }) => fills)} fills`,
      ratio: `${pnls.filter((pnl) => pnl > 0).length} of ${HOURS} earn`,
      aim: '',
      met: undefined,
    });
  }
  return rows;
};
