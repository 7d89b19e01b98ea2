// An hour of each built-in strategy on a hundred markets of the embedded exchange, with its defaults: what it earns, and how often.
import { BUILT_IN_STRATEGIES, loadStrategy } from '../src/bot/strategy/loading/loader.ts';
import { play } from '../src/research/testing/play.ts';
import type { Bench, Row } from './measure.ts';

const HOURS = 100;

interface Hour {
  readonly pnl: number;
  readonly fees: number;
  readonly fills: number;
}

/** Always on the usual market. */
export const hours: Bench = async ({ strategies = BUILT_IN_STRATEGIES, count = HOURS }) => {
  const rows: Row[] = [];
  for (const name of strategies) {
    const { strategy } = await loadStrategy(name);
    const found: Hour[] = [];
    for (let hour = 0; hour < count; hour += 1) {
      const { summary } = await play(strategy, { for: '1h', seed: `hour ${hour}` });
      found.push({ pnl: Number(summary.pnl), fees: Number(summary.fees), fills: summary.fills });
    }
    rows.push(rowOf(name, found));
  }
  return rows;
};

function rowOf(name: string, found: readonly Hour[]): Row {
  const sorted = (of: (hour: Hour) => number): readonly number[] => found.map(of).toSorted((a, b) => a - b);
  const pnls = sorted(({ pnl }) => pnl);
  const mean = pnls.reduce((sum, pnl) => sum + pnl, 0) / pnls.length;
  const deviation = Math.sqrt(pnls.reduce((sum, pnl) => sum + (pnl - mean) ** 2, 0) / Math.max(1, pnls.length - 1));
  const fees = quantile(
    sorted((hour) => hour.fees),
    0.5,
  );
  const fills = quantile(
    sorted((hour) => hour.fills),
    0.5,
  );
  return {
    name: `hours: ${name}, profit of an hour, median (10 % to 90 %; worst to best)`,
    figure: `${text(quantile(pnls, 0.5))} (${text(quantile(pnls, 0.1))} to ${text(quantile(pnls, 0.9))}; ${text(pnls[0]!)} to ${text(pnls.at(-1)!)})`,
    baseline: `mean ${text(mean)} ± ${text(deviation / Math.sqrt(pnls.length))}, fees ${text(fees)}, ${fills} fills`,
    ratio: `${pnls.filter((pnl) => pnl > 0).length} of ${found.length} earn, ${pnls.filter((pnl) => pnl < 0).length} lose`,
    aim: '',
    met: undefined,
  };
}

/** The value that this share of all values is below. */
const quantile = (sorted: readonly number[], share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!;
const text = (value: number): string => value.toFixed(2);
